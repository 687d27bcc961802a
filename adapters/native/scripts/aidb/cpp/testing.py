"""What the test frameworks Catch2 and doctest know of an assertion that failed,
read from the variable that it keeps beside the assertion. Knows no debugger."""

from aidb.cpp.words import UNREADABLE
from aidb.debugger.interface import CppValue

# The variable beside an assertion, and what is made of it.
CATCH = "Catch::AssertionHandler::complete"
VARIABLES = ("catchAssertionHandler", "DOCTEST_RB", "_DOCTEST_RB", "mb")
MOST = 1000


def broke(functions):
    """How many of the topmost functions are Catch2's own that break there; 0 for another stop."""
    return max((i + 1 for i, name in enumerate(functions) if name.startswith(CATCH)), default=0)


def told(v):
    """An assertion in words; empty where the variable is none of the frameworks'."""
    try:
        name = v.type.name
        if name.endswith("AssertionHandler"):
            return of_catch(v.member("m_assertionInfo"))
        if name.endswith("ResultBuilder"):
            return of_doctest(v)
        return string(v.member("m_string")) if name.endswith("MessageBuilder") else ""
    except UNREADABLE:
        return ""


def of_catch(info) -> str:
    return "%s( %s ) failed; the program's output has the values" % (view(info.member("macroName")), view(info.member("capturedExpression")))


def view(v):
    return v.memory(v.member("m_start").number(), min(v.member("m_size").number(), MOST)).decode("utf-8", "replace")


def of_doctest(v):
    said = "%s( %s ) failed" % (kind(v.member("m_at")), v.c_text(v.member("m_expr").number(), MOST).split(b"\0")[0].decode("utf-8", "replace"))
    if v.member("m_threw").number() & 1:
        return said + ": it threw %s" % (string(v.member("m_exception")) or "an exception")
    values = string(v.member("m_decomp"))
    return said + ": " + values if values else said


def kind(v: CppValue):
    name = v.scalar_words().rsplit("::", 1)[-1]
    return name[len("DT_"):] if name.startswith("DT_") and "|" not in name else "assertion"


def string(v: CppValue):
    """A doctest::String: within itself, or where it points to."""
    data = v.memory(v.address, 24)
    if not data[23] & 0x80:
        return data.split(b"\0")[0].decode("utf-8", "replace")
    at, size = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:12], "little")
    return v.memory(at, min(size, MOST)).decode("utf-8", "replace")
