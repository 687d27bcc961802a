"""How gdb shows Rust programs: values and expressions by the same reading as under
LLDB, and what a program panics with."""

import functools

import gdb
import gdb.printing
from gdb.dap import breakpoint, bt, scopes, startup
from gdb.dap import evaluate as requests

from aidb.debugger.gdb import command
from aidb.debugger.gdb.rust_frames import Frame
from aidb.debugger.gdb.rust_values import UNREADABLE, Value, deadly, process
from aidb.debugger.gdb.ways import leads
from aidb.rust import children, expression, memory, words
from aidb.rust import panic as panicking
from aidb.rust.meaning import Wrong, shown
from aidb.rust.moved import of_all

DAPException = getattr(startup, "DAPException", RuntimeError)


class Plain(gdb.ValuePrinter):
    """A value in words."""

    def __init__(self, value):
        self._value = Value(value)

    def to_string(self):
        try:
            text = words.Words().of(self._value)
        except UNREADABLE:
            return words.UNREADABLE
        if self._value.v is made.address:
            text = "%#x %s" % (self._value.unsigned(), text)
        return text if len(text) <= 2000 else text[:1999] + "…"


class Shown(Plain):
    """A value that has parts."""

    def __init__(self, value, parts):
        super().__init__(value)
        self._parts = parts

    def display_hint(self):
        return "array" if self._parts.items and not self._parts.by_key else None

    def num_children(self):
        return self._parts.count

    def child(self, i):
        part = self._parts.part(i)
        return (part.name, value_of(part)) if part is not None else ("[%d]" % i, said[words.UNREADABLE])

    def children(self):
        return (self.child(i) for i in range(self.num_children()))


class Text(gdb.ValuePrinter):
    """A text as it is."""

    def __init__(self, text):
        self._text = text

    def to_string(self):
        return self._text


# What stands in the place of a value that cannot be shown.
said = {text: gdb.Value(text) for text in (words.UNREADABLE, words.UNTOLD, words.NOT_READABLE)}


def value_of(v):
    """What is given to gdb."""
    return said[words.UNTOLD] if v.untold else v.v


class Made:
    """What an expression has made last that is to be shown in a way of its own."""

    address = value = text = None


made = Made()


def visualizer(value, original=gdb.printing.make_visualizer):
    if value is made.value:
        return Text(shown(made.text))
    for text in said:
        if value is said[text]:
            return Text(text)
    parts = children.Children(Value(value))
    try:
        if value.is_optimized_out:
            return original(value)
        return Shown(value, parts) if parts.shown() else Plain(value)
    except UNREADABLE:
        return Plain(value)


def evaluate(text, global_context=None):
    """The value of an expression of Rust in the selected frame; what begins with a
    sign of gdb's own is gdb's. Without a context it is to be set."""
    name, sets, wanted = text.partition(" := ")
    if sets:
        place = evaluate(name, global_context)
        place.assign(evaluate(wanted))
        return evaluate(name, global_context)
    if text.lstrip().startswith("$"):
        return gdb.parse_and_eval(text)
    try:
        got = expression.evaluate(text, Frame(gdb.selected_frame()))
        if isinstance(got, int) and not -(1 << 63) <= got < 1 << 63:
            return wide_number(got)
    except (Wrong, *UNREADABLE) as wrong:
        raise DAPException(str(wrong)) from wrong
    if got is None:
        return gdb.parse_and_eval("()")
    if isinstance(got, Value) and got.name.startswith("&"):
        made.address = got.v
    if isinstance(got, str) and len(got) == 1 and text.strip().startswith("'"):
        return gdb.Value(ord(got)).cast(gdb.lookup_type("char"))
    if isinstance(got, str) and global_context is None:
        raise DAPException("a text cannot be set: only numbers, truths and single characters can")
    if isinstance(got, str):
        made.text, made.value = got, gdb.Value(got)
        return made.value
    return value_of(got) if isinstance(got, Value) else gdb.Value(got)


def wide_number(n):
    """A number that does not fit 64 bits with a sign."""
    of = gdb.lookup_type("u64" if 0 <= n < 1 << 64 else "u128" if n >= 1 << 127 else "i128")
    return gdb.Value(n.to_bytes(of.sizeof, "little", signed=n < 0), of)


def places(frame):
    for _ in range(panicking.FRAMES):
        if frame is None:
            return
        at = frame.find_sal()
        yield panicking.Place(frame.name() or "", at.symtab.fullname() if at.symtab else "", at.line)
        frame = frame.older()


def owner_of(address):
    """The function that an address is in, inlined ones told apart by where they begin."""
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return (block.function.name, block.start) if block is not None else None


def again(at):
    """Says that a frame is at a second place of a line where its breakpoint has stopped
    already: a macro such as println! makes several of one line. Such a place is switched off."""
    repeated = False
    for point in gdb.breakpoints():
        places = [place for place in getattr(point, "locations", ()) if place.enabled]
        for here in places:
            if here.address == at.pc() and any(
                    other.address < here.address and other.source == here.source and owner_of(other.address) == owner_of(here.address)
                    and leads(other.address, here.address)
                    for other in places):
                here.enabled = False
                repeated = True
    return repeated


def panic(thread):
    """What a stop is about: a panic, with its message and who catches it; or not."""
    at = command.choose(thread)
    if not (at.name() or "").endswith("::rust_panic"):
        return {"panic": False, "again": again(at)}
    names = ("rdi", "rsi") if "x86" in at.architecture().name() else ("x0", "x1")
    held, table = (int(at.read_register(name)) % (1 << 64) for name in names)
    return {"panic": True, "message": panicking.words(process, held, table), **panicking.meaning(places(at.older()))}


def sides(thread):
    """See aidb.rust.panic."""
    frame = command.choose(thread)
    for _ in range(panicking.NEAR):
        if frame is None:
            break
        if panicking.ASSERTS.match(frame.name() or ""):
            return panicking.compared(Frame(frame))
        frame = frame.older()
    return {}


def missing(frame, value):
    """What is shown in the place of a variable that cannot be read, or not all of it; empty for others. gdb's adapter gives its own kind of frame."""
    frame = Frame(frame.inferior_frame() if hasattr(frame, "inferior_frame") else frame)
    return words.NOT_READABLE if frame.unset(value) else of_all(frame.moved(value))


def listed(variable, frame, original=scopes.symbol_value):
    """A variable of a scope, unless gdb would die of it."""
    symbol = variable.symbol()
    if hasattr(symbol, "type") and deadly(symbol.type):
        return symbol.print_name, said[words.UNTOLD]
    name, value = original(variable, frame)
    try:
        gone = missing(frame, Value(value, name)) if isinstance(value, gdb.Value) else ""
        return name, said.setdefault(gone, gdb.Value(gone)) if gone else value
    except UNREADABLE:
        return name, value


def in_full(create, **args):
    """Sets a breakpoint; gdb wants a function's whole path, where its end says enough."""
    name = args.get("function")
    if name and not gdb.lookup_static_symbol(name) and not gdb.lookup_global_symbol(name):
        known = [f.name for f in process.functions(memory.last_part(name))]
        ends = [full for full in known if full.endswith("::" + name)]
        args["function"] = min(ends, key=len) if ends else name
    return create(**args)


gdb.printing.make_visualizer = visualizer
command.KNOWN["panic"] = panic
command.KNOWN["sides"] = sides
requests.parse_and_eval = evaluate
scopes.symbol_value = bt.symbol_value = listed
if hasattr(breakpoint, "_set_one_breakpoint"):  # not in the first versions of the adapter
    breakpoint._set_one_breakpoint = functools.partial(in_full, breakpoint._set_one_breakpoint)
gdb.Breakpoint("std::panicking::rust_panic", internal=True)
