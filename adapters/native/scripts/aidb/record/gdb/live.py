"""Records in a program that runs on, by gdb's breakpoints that never stop it for long: gdb -nx -q -ex "python ...begin()".
gdb's own loop goes on meanwhile, so that it leaves the program at the end of its input as in a session."""

import contextlib
import os
import threading
import time

import gdb

from aidb.record import live
from aidb.record.gdb import frames
from aidb.record.gdb import recorder as of_runs
from aidb.record.notes import Refused

SETTLED = 0.5  # seconds after which gdb has read a program by which another was replaced; before, it dies of a detach
SETTINGS = (
    "pagination off", "confirm off", "style enabled off", "print thread-events off", "print inferior-events off", "may-call-functions off",
    "width 0", "height 0", "detach-on-fork on", "follow-fork-mode parent", "breakpoint always-inserted on",
    "auto-solib-add off",  # reading the symbols of libraries would take long, and the program stands meanwhile
)  # fmt: skip


class Live(live.Live):
    def standing(self, text, root):
        frame = gdb.newest_frame()
        with contextlib.suppress(RuntimeError, gdb.error):  # code without debug information has no block, and no locals
            symbol = gdb.lookup_symbol(root, frame.block())[0] if root else None
            if symbol is not None and (symbol.is_variable or symbol.is_argument) and symbol.addr_class != gdb.SYMBOL_LOC_STATIC:
                raise live.local(root)
        try:
            value = gdb.parse_and_eval(text)
            address, size = value.address, value.type.sizeof
        except gdb.error as wrong:
            raise Refused("%s cannot be read: %s" % (text, wrong), "expression") from wrong
        if address is None or size not in of_runs.SCALARS:
            raise live.unfit(text)
        at, of = int(address), value.type.pointer()
        self.notes.remark("gdb sees a write that changes the value, and no other")
        return live.Watched(at, size), lambda: frames.expressions.words(gdb.Value(at).cast(of).dereference())


class Session(live.Session):
    def __init__(self, order):
        super().__init__(order, lambda: gdb.selected_thread().ptid[1])
        self.notes.gone = lambda: gdb.post_event(self.leave)

    def enter(self):
        """Puts everything in; the program stands meanwhile."""
        order = self.order
        self.greet()
        for s in SETTINGS:
            with contextlib.suppress(gdb.error):  # not in this version
                gdb.execute("set " + s, to_string=True)
        for c in ("set language %s" % ("rust" if frames.RUST else "auto"), "handle all nostop noprint pass", "file /proc/%d/exe" % order["pid"]):
            gdb.execute(c, to_string=True)
        debugger = of_runs.Debugger()
        if order["functions"]:
            debugger.functions()  # gdb reads for it what it reads only once
            debugger.all = None  # places are others as soon as the program is there
            frames.names.clear()
            frames.bodies.clear()
        gdb.execute("set debug-file-directory /nonexistent", to_string=True)  # that of libc would be read while the program stands
        began = time.monotonic()
        gdb.execute("attach %d" % order["pid"], to_string=True)
        of_runs.notes = self.notes
        Live(debugger, self.notes, order).prepare()
        places = sum(b.is_valid() for b in of_runs.Point.made)
        gdb.events.exited.connect(lambda _: self.close())
        if hasattr(gdb.events, "executable_changed"):
            gdb.events.executable_changed.connect(lambda _: self.replaced())
        self.notes.began = time.monotonic()
        gdb.execute("continue &", to_string=True)
        self.begun(places, time.monotonic() - began)

    def replaced(self):
        """The program is another one now (exec), in which gdb would fail to set the breakpoints, and stop."""
        self.notes.out = "the program has replaced itself by another (exec), and was left"
        for point in of_runs.Point.made:
            if point.is_valid():
                point.delete()
        threading.Timer(SETTLED, lambda: gdb.post_event(self.abandon)).start()

    def abandon(self):
        """Leaves a program in which nothing of ours is; that is told before, for gdb may die of it."""
        self.last(True)
        self.detach()
        os._exit(0)

    def leave(self):
        """Takes everything out: gdb itself takes its breakpoints out of a program from which it goes."""
        if self.over.is_set():
            return
        self.detach()
        self.close(end=True)

    @staticmethod
    def detach():
        with contextlib.suppress(gdb.error):
            gdb.execute("detach", to_string=True)


def begin():
    live.begin(Session)
