# Where breakpoints stop: at the entry of a function once a call, at a statement of
# several lines once each time it is executed, and in the files of libraries where
# somebody has set them; and what their conditions see. It is executed in each process of the program, before any
# code of the program's: see adapter.py.
import dis
import sys

import pydevd
from _pydevd_bundle import pydevd_constants

PREPARING = ("RESUME", "COPY_FREE_VARS", "MAKE_CELL", "RETURN_GENERATOR", "GEN_START", "POP_TOP", "NOP", "CACHE", "EXTENDED_ARG", "SETUP_FINALLY")
COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
known = {}  # what is known of the instructions at which lines of code objects are entered


def stopping_frame():
    """The frame of which the debugger evaluates a condition."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "handle_breakpoint_condition":
            return frame.f_locals.get("new_frame")
        frame = frame.f_back
    return None


def lines_of(code):
    """The instructions of a code object as (offset, line, name)."""
    if code not in known:
        found, line = [], None
        starts = dict(dis.findlinestarts(code))
        for i in dis.get_instructions(code):
            line = starts.get(i.offset, line)
            found.append((i.offset, line, i.opname))
        known[code] = found
    return known[code]


def entered():
    """Whether the frame has just begun, and not come back to its first line."""
    frame = stopping_frame()
    if frame is None or frame.f_code.co_name.startswith("<"):
        return frame is None  # a comprehension or lambda on that line is no call of the function
    for offset, line, name in lines_of(frame.f_code):
        if line == frame.f_lineno and name not in PREPARING:
            return frame.f_lasti <= offset
    return True


def begins(last):
    """Whether the statement that ends in line last begins, and is not come back to
    from its later lines."""
    frame = stopping_frame()
    if frame is None:
        return True
    if frame.f_code.co_name in COMPREHENSIONS and frame.f_code.co_firstlineno == frame.f_lineno:
        return False  # it is a part of the statement
    before = None
    for offset, line, name in lines_of(frame.f_code):
        if offset >= frame.f_lasti:
            break
        if name not in PREPARING:
            before = line
    return before is None or not frame.f_lineno < before <= last


class Aidb:
    entered, begins = staticmethod(entered), staticmethod(begins)


sys.modules["_pydevd_bundle.pydevd_constants"].aidb = Aidb


def with_chosen_files(original):
    def apply_files_filter(self, frame, original_filename, force_check_project_scope):
        excluded = original(self, frame, original_filename, force_check_project_scope)
        if not excluded or type(frame).__name__ == "_DummyFrame":  # of a breakpoint that is being set
            return False
        try:
            name = pydevd.get_abs_path_real_path_and_base_from_file(original_filename)[1]
            return not self.file_to_id_to_line_breakpoint.get(name)
        except Exception:
            return excluded

    return apply_files_filter


pydevd.PyDB.apply_files_filter = with_chosen_files(pydevd.PyDB.apply_files_filter)


MOST = 1000
compiled = {}  # conditions, which are evaluated again and again


def seeing_locals(expression, scope, variables):
    """Stands in for eval, with which what is nested in an expression, as the body of a
    generator is, does not see the variables of the function."""
    code = expression
    if isinstance(expression, str):
        code = compiled.get(expression)
        if code is None:
            code = compile(expression, "<string>", "eval")
            if len(compiled) < MOST:
                compiled[expression] = code
    if variables is not scope and any(hasattr(constant, "co_code") for constant in code.co_consts):
        return eval(code, {**scope, **variables})
    return eval(code, scope, variables)


pydevd.eval = seeing_locals
