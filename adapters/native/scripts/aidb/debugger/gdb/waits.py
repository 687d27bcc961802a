"""The threads of a program as aidb.cpp.waits reads them, under gdb."""

import gdb

from aidb.cpp import blocked as cpp_blocked
from aidb.cpp import waits as cpp_waits
from aidb.debugger.gdb.values import Value

THREADS = 200  # that are looked at
FRAMES = 40  # of each


def waits():
    return ask(cpp_waits.waits)


def blocked():
    """Who waits for what, who holds that, and where it was taken."""
    rows = ask(cpp_blocked.blocked)
    rows["left_out"] = max(len(gdb.selected_inferior().threads()) - THREADS, 0)
    return rows


def ask(question):
    chosen, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        threads = [told(t) for t in gdb.selected_inferior().threads()[:THREADS]]
        return question(threads, word, symbol)
    finally:
        chosen.switch()
        frame.select()


def word(at):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(at, 4)), "little")


def symbol(at):
    """The global variable at an address: "ledger in section .bss of ...", or with an offset."""
    said = gdb.execute("info symbol %d" % at, to_string=True)
    name, found, _ = said.partition(" in section .")
    name, _, offset = name.partition(" + ")
    return name if found and int(offset or 0) < 64 else ""


def told(thread):
    thread.switch()
    frames, at = [], gdb.newest_frame()
    while at is not None and len(frames) < FRAMES:
        frames.append(at)
        at = at.older()
    functions = [f.name() or "" for f in frames[: cpp_waits.TOP + 8]]
    known = frames and frames[0].architecture().name() == "i386:x86-64"
    address = int(frames[0].read_register("rdi")) & (1 << 64) - 1 if known else None

    def variables():
        thread.switch()
        for f in frames[: cpp_waits.TOP + 8]:
            if f.find_sal().symtab is not None and not cpp_waits.LIBRARY.match(f.name() or ""):
                yield of_frame(f)

    spots = [spot(thread, f) for f in frames]
    return cpp_blocked.Thread(thread.global_num, thread.ptid[1] or thread.ptid[0], functions, address, variables, spots, thread.name or "")


def spot(thread, frame):
    sal, function = frame.find_sal(), frame.function()

    def variables():
        thread.switch()
        return list(of_frame_declared(frame))

    def address(text):
        """Names with members only: no code of the program runs."""
        thread.switch()
        frame.select()
        try:
            return int(gdb.parse_and_eval(text))
        except (gdb.error, ValueError):
            return None

    file = sal.symtab.fullname() if sal.symtab is not None else ""
    return cpp_blocked.Spot(frame.name() or "", file, sal.line, function.line if function is not None else 0, variables, address)


def of_frame_declared(frame):
    for s in declared(frame):
        try:
            yield Value(s.value(frame), s.name), s.line
        except (gdb.error, RuntimeError, ValueError):
            continue


def of_frame(frame):
    for s in declared(frame):
        yield Value(s.value(frame), s.name)


def declared(frame):
    """The symbols of a frame's variables, the innermost block's first."""
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not block.is_global and not block.is_static:
        for s in block:
            if s.is_variable or s.is_argument:
                yield s
        block = block.superblock
