"""The threads of a program as aidb.cpp.waits reads them, under gdb."""

import gdb

from aidb.cpp import waits as cpp_waits
from aidb.debugger.gdb.values import Value

THREADS = 200  # that are looked at


def waits():
    chosen, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        threads = [told(t) for t in gdb.selected_inferior().threads()[:THREADS]]
        return cpp_waits.waits(threads, word, symbol)
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
    while at is not None and len(frames) < cpp_waits.TOP + 8:
        frames.append(at)
        at = at.older()
    functions = [f.name() or "" for f in frames]
    known = frames and frames[0].architecture().name() == "i386:x86-64"
    address = int(frames[0].read_register("rdi")) & (1 << 64) - 1 if known else None

    def variables():
        thread.switch()
        for f in frames:
            if f.find_sal().symtab is not None and not cpp_waits.LIBRARY.match(f.name() or ""):
                yield of_frame(f)

    return cpp_waits.Thread(thread.global_num, thread.ptid[1] or thread.ptid[0], functions, address, variables)


def of_frame(frame):
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not block.is_global and not block.is_static:
        for s in block:
            if s.is_variable or s.is_argument:
                yield Value(s.value(frame), s.name)
        block = block.superblock
