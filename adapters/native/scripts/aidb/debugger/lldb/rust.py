"""How LLDB shows Rust programs: values as Rust writes them, expressions of Rust,
and what a program panics with."""

from aidb.debugger.lldb import command
from aidb.debugger.lldb.rust_answers import compute, found, page, returned, value
from aidb.rust.expression import evaluate, evaluate_hex  # noqa: F401
from aidb.rust.panic import failing as leaves, panic, sides
from aidb.rust.children import Children  # noqa: F401
from aidb.rust.words import scalar_summary, summary  # noqa: F401


def failing(frame, location, _):
    """The condition of the breakpoint on what ? calls. Places that are none of a test's
    are switched off, for a program may come to them often."""
    if leaves(frame):
        return True
    if location.GetHitCount() > 100 or "result" not in (frame.GetFunctionName() or "").split("from_residual")[0].lower():
        location.SetEnabled(False)
    return False


def begin(debugger):
    run = debugger.HandleCommand
    # All types but plain numbers: the others have a path, or a sign, in their names.
    run('type synthetic add --category AidbRust -x "[<:(&*{[]" -l aidb.debugger.lldb.rust.Children')
    run('type summary add --category AidbRust -e -x "[<:(&*{[]" -F aidb.debugger.lldb.rust.summary')
    run('type summary add --category AidbRust -e -x "^char32_t$" -F aidb.debugger.lldb.rust.summary')
    run('type summary add --category AidbRust -e -x "^((unsigned )?(char|short|int|long|__int128)|signed char|bool|float|double)$" -F aidb.debugger.lldb.rust.scalar_summary')
    run('type summary add --category AidbRust -s "()" void')
    run('type format add --category AidbRust -f u "unsigned char"')
    run('type format add --category AidbRust -f d "char" "signed char"')
    run("type category disable Rust")
    run("type category enable AidbRust")
    command.KNOWN["panic"] = panic
    command.KNOWN["sides"] = sides
    command.KNOWN["value"] = value
    command.KNOWN["page"] = page
    command.KNOWN["returned"] = returned
    command.found = found
    command.compute = compute
