"""Records in a program that runs on, by a debugger whose breakpoints never stop it for long: what gdb's way and LLDB's
have in common. Rows go to a socket (see package inside), where a word or its end lets the program go."""

import contextlib
import json
import os
import re
import socket
import threading
import time

from aidb.record.calls import Calls
from aidb.record.common import told
from aidb.record.notes import Notes, Refused
from aidb.record.recorder import Recorder

PASS, ENTER, LEAVE, WRITTEN = range(4)
TEXT = 200  # characters of a value
WAITING = 20000  # rows that wait to be told
PERIOD = 0.02  # seconds between two looks at what is to be told
ROOT = re.compile(r"^[\s*&(]*([A-Za-z_]\w*(?:::\w+)*)")


class Told(Notes):
    """What is noted becomes rows, which a thread of its own tells."""

    def __init__(self, order, thread) -> None:
        self.thread = thread  # gives the number of the one that has hit
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
            self.gone()
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
            self.rows.append([self.number, at, kind, self.thread(), "", event["f"], file, int(line or 0), call, shown])
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
    """A debugger's own says by standing where a variable lies, and how its value is read."""

    def prepare(self):
        order = self.wish
        if order["written"]:
            self.watch(order["written"])
        elif order["file"]:
            names = order["expressions"]
            self.probe(0, {"file": order["file"], "line": order["line"], "expressions": names, "condition": order["condition"]})
        elif order["condition"]:
            raise Refused("calls are recorded by a debugger without a condition", "condition")
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
        place, look = self.standing(text, root.group(1) if (root := ROOT.match(text)) else "")
        last = [look()]

        def written(frame):
            if not self.notes.hit():
                return
            before, last[0] = last[0], look()
            e = self.describe("write", frame)
            e["at"] = "%s:%d" % frame.at_written()
            self.notes.row(WRITTEN, e, [("before", self.notes.value(before)), ("after", self.notes.value(last[0]))])

        self.debugger.watch(place, written, False)


def local(name):
    return Refused("%s is a local variable there, which has a place only while its function runs" % name, "expression")


def unfit(text):
    return Refused("%s is no variable of 1, 2, 4 or 8 bytes: name a part of it" % text, "expression")


class Watched:
    function = ""

    def __init__(self, address, size, kind=""):
        self.address, self.size, self.type = address, size, kind
        self.low, self.length = address, size


class Session:
    """One stay in the program. A debugger's own has enter, which puts everything in, and leave, which takes it out."""

    def __init__(self, order, thread):
        self.order, self.over = order, threading.Event()
        self.notes = Told(order, thread)
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.link.connect(order["address"])

    def tell(self, message):
        self.link.sendall(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def greet(self):
        self.tell({"token": self.order["token"]})

    def begun(self, places, stood):
        """Tells what was put in, and for how many seconds the program stood; tells the rows from now on."""
        self.notes.first = len(self.notes.remarks)
        self.tell({"places": places, "notes": self.notes.remarks, "cost": int(stood * 1e9)})
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
        self.notes.gone()

    def last(self, end):
        """Tells the rest; end: the program lives on."""
        self.over.set()
        with contextlib.suppress(OSError):
            self.tell({**self.notes.message(), "end": end})

    def close(self, end=False):
        self.last(end)
        os._exit(0)


def begin(of):
    """Enters the program that the order names, as the debugger's session does it, or says why not."""
    with open(os.environ["AIDB_LIVE_ORDER"], encoding="utf-8") as f:
        order = json.load(f)
    session = of(order)
    try:
        session.enter()
        return
    except Refused as refused:
        answer = {"error": str(refused), "refused": True}
    except Exception as wrong:
        answer = {"error": told(wrong)}
    session.detach()  # before it is told, for nobody is to look before the program is as it was
    session.tell(answer)
    os._exit(0)
