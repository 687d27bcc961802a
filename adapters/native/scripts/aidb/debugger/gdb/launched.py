"""What gdb watches in a program that is started here, and stops at nowhere. A program that was attached
to has its own work: nothing is put into it that nobody asked for."""

from aidb.debugger.gdb import forks
from aidb.debugger.gdb.throws import Throws

forks.watch()
Throws(function="__cxa_throw", internal=True)
