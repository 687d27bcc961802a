"""Begins a session under LLDB: its ways of showing values, and the command aidb."""

from aidb.debugger.lldb import bytecode, command, cpp, launched, relay


def begin(debugger, language, *wanted):
    """Wanted may be: bytecode, launched, relay. See the modules that are called so."""
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
