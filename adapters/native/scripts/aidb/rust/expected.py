"""What the #[should_panic] of a test of Rust says. No debugger knows it: it is read in the source."""

import functools
import os
import re
from typing import List, Optional

MOST = 16 << 20  # bytes of a source that are read
ABOVE = 400  # lines in which the head of a test is looked for
ATTRIBUTES = 60  # lines of them, at most
CLOSED = re.compile(r"(::\{[^{}]*\})+$")
HEAD = re.compile(r"\bfn\s+[A-Za-z_]")
ENDS = re.compile(r"[;{}]\s*$")  # an item that is before
COMMENT = re.compile(r"^\s*//")
TEXT = r'(?:"((?:[^"\\]|\\.)*)"|r"([^"]*)"|r#"(.*?)"#)'  # a plain literal, or a raw one
SHOULD_PANIC = re.compile(r"#\s*\[\s*should_panic\s*(?:\]|=\s*%s\s*\]|\(\s*expected\s*=\s*%s\s*,?\s*\)\s*\])" % (TEXT, TEXT), re.DOTALL)
ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F_]+)\}|x([0-9a-fA-F]{2})|\n\s*|(.))", re.DOTALL)
SIGNS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def expected_text(name: str, file: str, line: int) -> Optional[str]:
    """What the panic of a test must contain for which it is written, which stands at a line; None where it is not
    to panic, or its source cannot be read."""
    try:
        return read(name, file, line, os.stat(file).st_mtime_ns)
    except OSError:
        return None


@functools.lru_cache(maxsize=64)
def read(name: str, file: str, line: int, _changed: int) -> Optional[str]:
    with open(file, encoding="utf-8", errors="replace") as f:
        return find(f.read(MOST).split("\n"), line, name)


def find(lines: List[str], line: int, name: str = "") -> Optional[str]:
    """The same, in the lines of a file. The line is one of the test's own, or that of an attribute that a macro has
    made it from."""
    if not 0 < line <= len(lines):
        return None
    head = head_of(lines, line - 1, name)
    first = min(head, line - 1)
    while first > max(0, head - ATTRIBUTES) and (COMMENT.match(lines[first - 1]) or not ENDS.search(lines[first - 1])):
        first -= 1
    found = SHOULD_PANIC.search("\n".join(text for text in lines[first : head + 1] if not COMMENT.match(text)))
    if not found:
        return None
    plain = unescaped(found.group(1) or "") + unescaped(found.group(4) or "")
    return plain + "".join(found.group(i) or "" for i in (2, 3, 5, 6))


def head_of(lines: List[str], at: int, name: str) -> int:
    """Where the head of the function is that a line is of: that of its name above, or the next one."""
    own = re.compile(r"\bfn\s+%s\b" % re.escape(CLOSED.sub("", name).rsplit("::", 1)[-1])) if name else None
    for i in range(at, max(-1, at - ABOVE), -1):
        if own and own.search(lines[i]):
            return i
    return next((i for i in range(at, min(len(lines), at + ATTRIBUTES)) if HEAD.search(lines[i])), at)


def unescaped(literal: str) -> str:
    """The text of a plain literal."""
    def meant(m: "re.Match[str]") -> str:
        digits = (m.group(1) or m.group(2) or "").replace("_", "")
        if digits:
            return chr(int(digits, 16)) if int(digits, 16) < 0x110000 else m.group(0)
        return SIGNS.get(m.group(3), m.group(3)) if m.group(3) else ""

    return ESCAPE.sub(meant, literal)
