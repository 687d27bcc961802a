"""What LLDB watches in a program that is started here, and stops at nowhere. A program that was attached
to has its own work: nothing is put into it that nobody asked for."""

from aidb.debugger.lldb import forks, throws


def begin(debugger):
    forks.watch(debugger)
    throws.watch(debugger)
