"""Records in a program that runs on, by gdb's breakpoints that never stop it for long: gdb -nx -q -ex "python ...begin()".
gdb's own loop goes on meanwhile, so that it leaves the program at the end of its input as in a session. Rows go to a
socket (see package inside), where a word or its end lets the program go."""

import contextlib
import json
import os
import re
import socket
import threading
import time

import gdb

from aidb.record.calls import Calls
from aidb.record.common import told
from aidb.record.gdb import recorder as of_runs
from aidb.record.notes import Notes, Refused
from aidb.record.recorder import Recorder

PASS, ENTER, LEAVE, WRITTEN = range(4)
TEXT = 200  # characters of a value
WAITING = 20000  # rows that wait to be told
SETTLED = 0.5  # seconds after which gdb has read a program by which another was replaced; before, it dies of a detach
PERIOD = 0.02  # seconds between two looks at what is to be told
SETTINGS = (
    "pagination off", "confirm off", "style enabled off", "print thread-events off", "print inferior-events off", "may-call-functions off",
    "width 0", "height 0", "detach-on-fork on", "follow-fork-mode parent", "breakpoint always-inserted on",
    "auto-solib-add off",  # reading the symbols of libraries would take long, and the program stands meanwhile
)  # fmt: skip
ROOT = re.compile(r"^[\s*&(]*([A-Za-z_]\w*(?:::\w+)*)")


class Told(Notes):
    """What is noted becomes rows, which a thread of its own tells."""

    def __init__(self, order) -> None:
        self.text, self.lock, self.failures = TEXT, threading.RLock(), 0
        self.order, self.rows, self.number, self.remarks = order, [], 0, []
        self.first = 0  # so many remarks were told when it was armed
        self.hits = self.matched = self.unread = self.dropped = 0
        self.out, self.second, self.since = "", 0.0, 0
        self.began = time.monotonic()
        self.gone = None  # by which the program is left when it is reached too often

    def remark(self, text):
        if text not in self.remarks:
            self.remarks.append(text)

    def hit(self):
        """Counts a hit, and leaves the program where there are too many of them."""
        self.hits += 1
        now = time.monotonic()
        if now - self.second >= 2:
            self.second, self.since = now, self.hits
        most = self.order["most"]
        if not self.out and self.hits - self.since > 2 * most:
            self.out = "there were more than %d hits a second, and it was taken out: a debugger stops the program at each" % most
            gdb.post_event(self.gone)
        return not self.out

    def write(self, event):
        """An event of Calls."""
        kind = {"enter": ENTER, "leave": LEAVE}.get(event["k"])
        if kind is None or kind == LEAVE and any(v.get("e", "").startswith("it did not return") for v in event.get("v", ())):
            return  # its row has no result then, as of every call whose end was not seen
        names = event.get("a", ()) if kind == ENTER else ["result"]
        self.row(kind, event, zip(names, event.get("v", ())), event["c"])

    def row(self, kind, event, values, call=0):
        file, _, line = event["at"].rpartition(":")
        at = int((time.monotonic() - self.began) * 1e9)
        shown = [[name, v.get("v", ""), v.get("e", ""), bool(v.get("u"))] for name, v in values]
        with self.lock:
            self.number += 1
            self.rows.append([self.number, at, kind, gdb.selected_thread().ptid[1], "", event["f"], file, int(line or 0), call, shown])
            if len(self.rows) > WAITING:
                self.dropped += 1
                del self.rows[0]

    def message(self):
        with self.lock:
            rows, self.rows = self.rows, []
        counts = {"hits": self.hits, "matched": self.matched, "unread": self.unread, "dropped": self.dropped, "read": self.number}
        return {"rows": rows, "out": self.out, "notes": self.remarks[self.first :], **counts}


class CountedCalls(Calls):
    def enter(self, f, frame):
        if self.notes.hit():
            super().enter(f, frame)

    def leave(self, f, frame):
        if self.notes.hit():
            super().leave(f, frame)


class Live(Recorder):
    def prepare(self):
        order = self.wish
        if order["written"]:
            self.watch(order["written"])
        elif order["file"]:
            names = order["expressions"]
            self.probe(0, {"file": order["file"], "line": order["line"], "expressions": names, "condition": order["condition"]})
        elif order["condition"]:
            raise Refused("calls are recorded by gdb without a condition", "condition")
        else:
            self.calls = CountedCalls(self, {"names": order["functions"]}, lenient=False)

    def note(self, pass_):
        if not self.notes.hit():
            return
        _, e = pass_
        if e is None:
            return
        values = e.get("v", [])
        if values and values[0].get("e", "").startswith("condition: "):
            self.notes.unread += 1
            self.notes.remark("of the condition: " + values[0]["e"][len("condition: ") :])
            return
        self.notes.matched += 1
        self.notes.row(PASS, e, zip(self.wish["expressions"], values))

    def watch(self, text):
        self.wellformed(text, "expression")
        frame, root = gdb.newest_frame(), ROOT.match(text)
        with contextlib.suppress(RuntimeError, gdb.error):  # code without debug information has no block, and no locals
            symbol = gdb.lookup_symbol(root.group(1), frame.block())[0] if root else None
            if symbol is not None and (symbol.is_variable or symbol.is_argument) and symbol.addr_class != gdb.SYMBOL_LOC_STATIC:
                raise Refused("%s is a local variable there, which has a place only while its function runs" % root.group(1), "expression")
        try:
            value = gdb.parse_and_eval(text)
            address, size = value.address, value.type.sizeof
        except gdb.error as wrong:
            raise Refused("%s cannot be read: %s" % (text, wrong), "expression") from wrong
        if address is None or size not in of_runs.SCALARS:
            raise Refused("%s is no variable of 1, 2, 4 or 8 bytes: name a part of it" % text, "expression")
        at, of = int(address), value.type.pointer()
        look = lambda: of_runs.expressions.words(gdb.Value(at).cast(of).dereference())  # noqa: E731
        last = [look()]

        def written(frame):
            if not self.notes.hit():
                return
            before, last[0] = last[0], look()
            e = self.describe("write", frame)
            e["at"] = "%s:%d" % frame.at_written()
            self.notes.row(WRITTEN, e, [("before", self.notes.value(before)), ("after", self.notes.value(last[0]))])

        self.debugger.watch(Watched(at, size), written, False)
        self.notes.remark("gdb sees a write that changes the value, and no other")


class Watched:
    def __init__(self, address, size):
        self.address, self.size = address, size


class Session:
    """One stay in the program."""

    def __init__(self, order):
        self.order, self.over = order, threading.Event()
        self.notes = Told(order)
        self.notes.gone = self.leave
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.link.connect(order["address"])

    def tell(self, message):
        self.link.sendall(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def enter(self):
        """Puts everything in; the program stands meanwhile."""
        order = self.order
        self.tell({"token": order["token"]})
        for s in SETTINGS:
            with contextlib.suppress(gdb.error):  # not in this version
                gdb.execute("set " + s, to_string=True)
        for c in ("set language %s" % ("rust" if of_runs.RUST else "auto"), "handle all nostop noprint pass", "file /proc/%d/exe" % order["pid"]):
            gdb.execute(c, to_string=True)
        debugger = of_runs.Debugger()
        if order["functions"]:
            debugger.functions()  # gdb reads for it what it reads only once
            debugger.all = None  # places are others as soon as the program is there
            of_runs.names.clear()
            of_runs.bodies.clear()
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
        self.notes.first = len(self.notes.remarks)
        self.tell({"places": places, "notes": self.notes.remarks, "cost": int((time.monotonic() - began) * 1e9)})
        threading.Thread(target=self.telling, daemon=True).start()
        threading.Thread(target=self.hearing, daemon=True).start()

    def telling(self):
        last = None
        with contextlib.suppress(OSError):
            while not self.over.wait(PERIOD):
                if (self.notes.hits, self.notes.out) != last:
                    last = self.notes.hits, self.notes.out
                    self.tell(self.notes.message())

    def hearing(self):
        with contextlib.suppress(OSError):
            self.link.recv(1)
        gdb.post_event(self.leave)

    def replaced(self):
        """The program is another one now (exec), in which gdb would fail to set the breakpoints, and stop."""
        self.notes.out = "the program has replaced itself by another (exec), and was left"
        for point in of_runs.Point.made:
            if point.is_valid():
                point.delete()
        threading.Timer(SETTLED, lambda: gdb.post_event(self.abandon)).start()

    def abandon(self):
        """Leaves a program in which nothing of ours is; that is told before, for gdb may die of it."""
        self.over.set()
        with contextlib.suppress(OSError):
            self.tell(self.notes.message())
            self.tell({"end": True})
        with contextlib.suppress(gdb.error):
            gdb.execute("detach", to_string=True)
        os._exit(0)

    def leave(self):
        """Takes everything out: gdb itself takes its breakpoints out of a program from which it goes."""
        if self.over.is_set():
            return
        with contextlib.suppress(gdb.error):
            gdb.execute("detach", to_string=True)
        self.close(end=True)

    def close(self, end=False):
        self.over.set()
        with contextlib.suppress(OSError):
            self.tell(self.notes.message())
            if end:
                self.tell({"end": True})  # else the program has ended
            self.link.close()
        os._exit(0)


def begin():
    with open(os.environ["AIDB_LIVE_ORDER"], encoding="utf-8") as f:
        order = json.load(f)
    session = Session(order)
    try:
        session.enter()
        return
    except Refused as refused:
        session.tell({"error": str(refused), "refused": True})
    except Exception as wrong:
        session.tell({"error": told(wrong)})
    with contextlib.suppress(gdb.error):
        gdb.execute("detach", to_string=True)
    os._exit(0)
