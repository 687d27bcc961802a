# What the debugger leaves out of an exception: the parts of a group, a cause that has come
# from another process as text, where a file could not be read, and the two values that an
# expectation compared. It is executed in each process of the program,
# before any code of the program's: see adapter.py.
import json
import opcode
import sys

from _pydevd_bundle import pydevd_constants, pydevd_frame_utils, pydevd_safe_repr

MOST = 20
RAISE = opcode.opmap["RAISE_VARARGS"]


def place(value):
    """The innermost place of the user's that an exception comes from."""
    db, tb, found = pydevd_constants.get_global_debugger(), value.__traceback__, None
    while tb is not None:
        if found is None or db is None or db.in_project_scope(tb.tb_frame):
            found = tb
        tb = tb.tb_next
    if found is None:
        return {}
    code = found.tb_frame.f_code
    return {"file": code.co_filename, "line": found.tb_lineno, "function": code.co_name}


def parts(value):
    """The exceptions of a group and of the groups in it."""
    for part in getattr(value, "exceptions", ()):
        if isinstance(getattr(part, "exceptions", None), tuple):
            yield from parts(part)
        elif isinstance(part, BaseException):
            yield {"type": type(part).__name__, "message": str(part), **place(part)}


def sent(value):
    """The cause that has no traceback of this process, None when there is none."""
    known = set()
    while value is not None and id(value) not in known:
        known.add(id(value))
        value = value.__cause__ or (None if value.__suppress_context__ else value.__context__)
        if value is not None and value.__traceback__ is None:
            return {"type": type(value).__name__, "message": str(value)}
    return None


def unread(value):
    """The place in a file at which Python could not read it, which no frame has."""
    name, line = getattr(value, "filename", None), getattr(value, "lineno", None)
    if not isinstance(value, SyntaxError) or not isinstance(name, str) or name.startswith("<") or not isinstance(line, int):
        return None
    return {"file": name, "line": line}


def describe(value):
    found = list(parts(value)) if isinstance(getattr(value, "exceptions", None), tuple) else []
    return json.dumps({"parts": found[:MOST], "more": max(0, len(found) - MOST), "cause": sent(value), "unread": unread(value)}).encode().hex()


# How frameworks name the two values that their functions compare, by the ends of their
# files: where the names say which one was expected that is the second.
COMPARING = (
    ("unittest/case.py", (("first", "second"), ("member", "container"), ("expr1", "expr2"), ("a", "b"), ("list1", "list2"), ("tuple1", "tuple2"), ("set1", "set2"), ("d1", "d2"), ("seq1", "seq2")), False),
    ("numpy/testing/_private/utils.py", (("actual", "desired"),), True),
    ("pandas/_testing/asserters.py", (("left", "right"),), False),
)
# What unittest's functions of one value want of it.
WANTED = {"assertTrue": "true", "assertFalse": "false", "assertIsNone": "None", "assertIsNotNone": "not None"}
LONGEST = 1000


def compared(value):
    """The values that the framework's function was given which a test has called."""
    tb = value.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        path = code.co_filename.replace("\\", "/")
        for end, names, told in COMPARING:
            if path.endswith(end) and code.co_name.startswith("assert"):
                scope = tb.tb_frame.f_locals
                for pair in names:
                    if all(name in scope for name in pair):
                        return scope[pair[0]], scope[pair[1]], told, "%s and %s of %s" % (*pair, code.co_name)
        tb = tb.tb_next
    return None


def asked(value):
    """The value that unittest's function was given of which it wants one thing."""
    tb = value.__traceback__
    while tb is not None:
        code, scope = tb.tb_frame.f_code, tb.tb_frame.f_locals
        name = "obj" if "None" in code.co_name else "expr"
        if code.co_name in WANTED and code.co_filename.replace("\\", "/").endswith("unittest/case.py") and name in scope:
            return {"Actual": written(scope[name]), "Expected": WANTED[code.co_name], "From": "%s of %s" % (name, code.co_name)}
        tb = tb.tb_next
    return {}


def origin(value):
    """The user's place that has raised it again last, where a frame of its traceback has
    raised it and the traceback goes on further in; and its frames when it was raised first."""
    db, tb, again, first = pydevd_constants.get_global_debugger(), value.__traceback__, None, []
    while tb is not None:
        code = tb.tb_frame.f_code
        at = {"file": code.co_filename, "line": tb.tb_lineno, "function": code.co_name}
        if db is None or db.in_project_scope(tb.tb_frame):
            first.append(at)
            if tb.tb_next is not None and code.co_code[tb.tb_lasti] == RAISE:
                again, first = again or at, []
        tb = tb.tb_next
    return json.dumps({"again": again, "first": first[::-1]} if again else {}).encode().hex()


def written(value):
    text = pydevd_safe_repr.SafeRepr()(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def sides(value):
    found = compared(value)
    told = {} if found is not None else asked(value)
    if found is not None:
        told = dict(zip(("Actual", "Expected") if found[2] else ("Left", "Right"), map(written, found[:2])), From=found[3])
    return json.dumps(told).encode().hex()


def within_a_line(original):
    def line_col_info(tb):
        # Of a statement of several lines the debugger would show others in its place.
        info = original(tb)
        return None if info is not None and info.end_lineno != info.lineno else info

    return line_col_info


pydevd_constants.aidb_describe = describe
pydevd_constants.aidb_sides = sides
pydevd_constants.aidb_origin = origin
if sys.version_info >= (3, 11):
    pydevd_frame_utils._get_line_col_info_from_tb = within_a_line(pydevd_frame_utils._get_line_col_info_from_tb)
