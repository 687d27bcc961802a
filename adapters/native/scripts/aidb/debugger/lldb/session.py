"""Begins a session under LLDB: its ways of showing values, and the command aidb."""

from aidb.debugger.lldb import bytecode, command, cpp, launched, relay
from aidb.guard import guard


def begin(debugger, language, wanted, reading, left_out):
    """Wanted may be: bytecode, launched, relay. See the modules that are called so. Reading is the file of the guard,
    and left out are the types of which the debugger has died."""
    guard.begin(reading, left_out)
    if language != "rust":
        cpp.begin(debugger)
    command.begin(debugger)
    if language == "rust":
        from aidb.debugger.lldb import rust
        rust.begin(debugger)
    if "bytecode" in wanted:
        bytecode.begin()
    if "launched" in wanted:
        launched.begin(debugger)
    if "relay" in wanted:
        relay.begin()
