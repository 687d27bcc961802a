"""What gdb watches in a program that is started here, and stops at nowhere. A program that was attached
to has its own work: nothing is put into it that nobody asked for."""

import gdb

from aidb.debugger.gdb.throws import Throws


class Fork(gdb.Breakpoint):
    """Counts the processes that the program makes of itself: nobody follows them."""

    made = 0

    def stop(self):
        Fork.made += 1
        return False


for way in ("fork", "vfork"):
    Fork(function=way, internal=True)
Throws(function="__cxa_throw", internal=True)
