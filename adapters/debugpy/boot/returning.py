# Has the debugger show what functions return, and not None for one that an exception
# has left, nor what a generator gives before it goes on. It is executed in each process
# of the program, before any code of the program's: see adapter.py. From Python 3.12 on
# the interpreter itself tells these apart.
import opcode
import sys

from _pydevd_bundle import pydevd_frame


def returns(frame):
    """Whether the last instruction of a frame gives a value back for good."""
    name = opcode.opname[frame.f_code.co_code[frame.f_lasti]] if frame.f_lasti >= 0 else ""
    return name.startswith("RETURN_") and name != "RETURN_GENERATOR"  # which one thrown into before it began is at


def of_returning(original):
    def _show_return_values(self, frame, arg):
        if returns(frame):
            return original(self, frame, arg)

    return _show_return_values


if sys.version_info < (3, 12) and "_show_return_values" in vars(pydevd_frame.PyDBFrame):
    pydevd_frame.PyDBFrame._show_return_values = of_returning(pydevd_frame.PyDBFrame._show_return_values)
