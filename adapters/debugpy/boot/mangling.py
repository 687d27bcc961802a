# Has the names that begin with two underscores mean in what is evaluated in a frame what they
# mean there: Python changes each to one that has the name of the class in which it is written.
# It is executed in each process of the program, before any code of the program's: see adapter.py.
import ast
import io
import tokenize
import types

import pydevd
from _pydevd_bundle import pydevd_vars

FUNCTION = 1  # flag of its code, and not of a class's body
INNER = "<locals>"
renamed = {}  # (text, class): the text as if it stood in the class


def class_around(code):
    """The name of the class in which a code object is written, empty where it is in none."""
    qualified = getattr(code, "co_qualname", None)
    if qualified is None:
        return class_in_file(code)
    names = qualified.split(".")
    if code.co_flags & FUNCTION:
        names.pop()
    elif qualified == "<module>":
        return ""
    while names and names[-1] == INNER:
        del names[-2:]  # a function
    return names[-1] if names else ""


def class_in_file(code):
    """The same before Python 3.11, by the source."""
    try:
        with open(code.co_filename, "rb") as f:
            tree = ast.parse(f.read())
    except (OSError, SyntaxError, ValueError):
        return ""
    around = [x for x in ast.walk(tree) if isinstance(x, ast.ClassDef) and x.lineno <= code.co_firstlineno <= x.end_lineno]
    return max(around, key=lambda x: x.lineno).name if around else ""


def within(text, code):
    """A text as if it stood in the code of a frame."""
    if not isinstance(text, str) or "__" not in text:
        return text
    cls = class_around(code).lstrip("_")
    found = renamed.get((text, cls))
    if found is None:
        found = renamed[text, cls] = rename(text, cls) if cls else text
    return found


def rename(text, cls):
    lines = text.splitlines(True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return text
    for token in reversed(tokens):
        name, (row, column) = token.string, token.start
        if token.type == tokenize.NAME and name.startswith("__") and not name.endswith("__"):
            line = lines[row - 1]
            lines[row - 1] = line[:column] + "_" + cls + line[column:]
    return "".join(lines)


def evaluating(original):
    def evaluate_expression(py_db, frame, expression, is_exec):
        return original(py_db, frame, expression if frame is None else within(expression, frame.f_code), is_exec)

    return evaluate_expression


def conditional(original):
    def handle_breakpoint_condition(self, info, pybreakpoint, new_frame):
        condition = within(pybreakpoint.condition, new_frame.f_code)
        if condition is not pybreakpoint.condition:
            pybreakpoint = types.SimpleNamespace(condition=condition, handle_hit_condition=pybreakpoint.handle_hit_condition)
        return original(self, info, pybreakpoint, new_frame)

    return handle_breakpoint_condition


pydevd_vars.evaluate_expression = evaluating(pydevd_vars.evaluate_expression)
pydevd.PyDB.handle_breakpoint_condition = conditional(pydevd.PyDB.handle_breakpoint_condition)
