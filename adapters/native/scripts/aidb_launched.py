"""What LLDB watches in a program that is started here, and stops at nowhere. A program that was attached
to has its own work: nothing is put into it that nobody asked for."""

import aidb_forks
import aidb_throws


def __lldb_init_module(debugger, _):
    aidb_forks.watch(debugger)
    aidb_throws.watch(debugger)
