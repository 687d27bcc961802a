"""Calls with arguments and results: breakpoints where a function's body begins and at each
instruction that returns from it, paired by thread and frame."""

import difflib
import fnmatch
import re

from aidb.names import FRAMEWORK, means
from aidb.record import source
from aidb.record.common import users, whole
from aidb.record.notes import Refused

MOST = 2000  # functions
OFTEN = 600  # calls of all functions, each of which costs its stops, before one that is called often is left alone
FEW = 8  # functions that are named
DEEP = 60  # frames in which open calls are looked for
CONSTRUCTOR = re.compile(r"(?:^|::)(\w+)(?:<.*>)?::\1$")


class Calls:
    def __init__(self, recorder, wish, lenient):
        self.recorder, self.debugger, self.notes = recorder, recorder.debugger, recorder.notes
        self.returns = lenient  # the statement that returns is wanted, with what it reads
        self.open, self.number = {}, 0
        self.coming = {}  # of functions whose bodies begin with a loop, by their starts: the calls that have only begun
        self.points, self.counts = {}, {}  # of functions, by their starts
        self.first = (wish.get("thin") or {}).get("first", 0)  # so many calls of each function are noted at least; 0: all
        found = chosen(self.debugger.functions(), wish["names"])
        if not found and not lenient:
            raise Refused(unknown(self.debugger, wish["names"]), "functions")
        for name in wish["names"] if found and not lenient else ():
            self.remark_missing(name)
        if len(found) > MOST:
            self.notes.remark("%d functions match: the calls of the first %d by name are noted" % (len(found), MOST))
        for f in found[:MOST]:
            self.watch(f)

    def remark_missing(self, name):
        """Says of a name what of it is not noted."""
        if "*" in name:
            return
        if not any(matches(f, name) for f in self.debugger.functions()):
            self.notes.remark(unknown(self.debugger, [name]))
        elif within := copied(self.debugger, [name]):
            self.notes.remark("the compiler has put the code of %s into %s too: what is done there is no call, and is not noted" % (name, ", ".join(within)))

    def watch(self, f):
        body = self.debugger.break_address(f.body, lambda frame: self.enter(f, frame), not loops(f))
        points = self.points[f.start] = [body]
        if loops(f):
            points.append(self.debugger.break_address(f.start, lambda frame: self.comes(f, body, frame)))
        for at in f.rets():
            points.append(self.debugger.break_address(at, lambda frame: self.leave(f, frame)))
        if not self.returns:
            return
        for line, at in f.lines():
            if returning(source.line(f.file, line)):
                points.append(self.debugger.break_address(at, self.returning))

    def comes(self, f, body, frame):
        """A call begins, of a function whose body begins with a loop's: its rounds are no calls, and
        must not stop the program."""
        self.coming.setdefault(f.start, set()).add((frame.key(), frame.cfa_at_return()))
        self.debugger.enable(body, True)

    def enter(self, f, frame):
        frame = whole(frame)
        if loops(f):
            coming = self.coming.get(f.start, set())
            if (frame.key(), frame.cfa()) not in coming:
                return  # the next round of the loop, while another thread begins a call
            coming.remove((frame.key(), frame.cfa()))
            if not coming and f.start in self.points:
                self.debugger.enable(self.points[f.start][0], False)
        if self.unwatched(f):
            return
        cfa, calls = frame.cfa(), self.open.setdefault(frame.key(), [])
        self.gone(calls, cfa, frame)
        self.number += 1
        names = [n for n in frame.arguments() if n != "__closure"]  # what a lambda has taken, under a name of the compiler's
        caller = users(frame.older())
        stack = ["%s %s:%d" % ((caller.function(),) + caller.at())] if caller is not None else []
        depth = sum(1 for c in calls if c["f"] is f)
        calls.append({"f": f, "cfa": cfa, "n": self.number, "use": None})
        e = self.recorder.event("enter", frame, c=self.number, d=depth, a=names, s=stack, v=[self.argument(f, frame, n) for n in names])
        e["at"], e["f"] = "%s:%d" % (f.file, f.line), f.name
        self.notes.write(e)

    def unwatched(self, f):
        """Says that a function is called so often that it is left alone from now on: the program
        cannot be stopped millions of times."""
        n = self.counts[f.start] = self.counts.get(f.start, 0) + 1
        if not self.first or n <= self.first or self.number < OFTEN:
            return False
        points = self.points.pop(f.start, None)
        if points is not None:
            for p in points:
                self.debugger.enable(p, False)
            for calls in self.open.values():
                calls[:] = [c for c in calls if c["f"] is not f]
            self.notes.write({"k": "unwatched", "at": "%s:%d" % (f.file, f.line), "f": f.name, "h": n - 1})
        return True

    def argument(self, f, frame, name):
        if name == "this" and CONSTRUCTOR.search(f.name):  # what lies there is nobody's, nor can a virtual base be found
            return {"e": "not constructed yet"}
        try:
            return self.notes.value(frame.variable(name))
        except frame.Wrong as wrong:
            return {"e": str(wrong)}

    def returning(self, frame):
        for c in reversed(self.open.get(frame.key(), [])):
            if c["cfa"] == frame.cfa():
                _, _, right = source.parts(source.statement(*frame.at()))
                names, values = self.recorder.read(frame, right)
                c["use"] = self.recorder.event("use", frame, c=c["n"], a=names, v=values, l=source.called(right))
                return

    def leave(self, f, frame):
        cfa, calls = frame.cfa_at_return(), self.open.get(frame.key(), [])
        while calls and calls[-1]["cfa"] < cfa:
            self.lost(calls.pop(), frame)
        if not calls or calls[-1]["cfa"] != cfa:
            return
        c = calls.pop()
        try:
            shown = frame.result(f)
            shown = [self.notes.value(shown)] if shown is not None else []
        except frame.Wrong as wrong:
            shown = [{"e": str(wrong)}]
        e = self.recorder.event("leave", frame, c=c["n"], v=shown)
        e["f"] = f.name
        if c["use"] is not None:
            self.notes.write(c["use"])
            e["at"] = c["use"]["at"]
        self.notes.write(e)

    def gone(self, calls, cfa, frame):
        """Calls whose frames are no more, though they have not returned."""
        while calls and calls[-1]["cfa"] <= cfa:
            self.lost(calls.pop(), frame)

    def lost(self, c, frame):
        """A jump out of it, or the end of its thread: what it was is not seen."""
        e = self.recorder.event("leave", frame, c=c["n"], v=[{"e": "it did not return: a jump left it"}])
        e.update(f=c["f"].name, at="%s:%d" % (c["f"].file, c["f"].line))
        if self.debugger.PANICS:  # which nothing else leaves a call by
            e.update(v=[{"v": "a panic went through it"}], x=True)
        self.notes.write(e)

    def raising(self, frame):
        """An exception is thrown: where the calls stand that it may leave."""
        calls = {c["cfa"]: c for c in self.open.get(frame.key(), [])}
        for _ in range(DEEP if calls else 0):
            if frame is None:
                break
            c = calls.get(frame.cfa())
            if c is not None:
                c["at"] = "%s:%d" % frame.at()
            frame = frame.older()

    def unwound(self, catcher, words):
        """An exception was caught: the calls that it has left."""
        calls = self.open.get(catcher.key(), [])
        while calls and calls[-1]["cfa"] < catcher.cfa():
            c = calls.pop()
            e = self.recorder.event("leave", catcher, c=c["n"], v=[words], x=True)
            e.update(f=c["f"].name, at=c.get("at", e["at"]))
            self.notes.write(e)


def loops(f):
    """Says that the instruction at which a function's arguments are in place is reached again and
    again, by a loop with which its body begins: some lead to what stands just before it."""
    if "round" not in vars(f):
        f.round = f.body != f.start and any(f.start < to <= f.body <= at for at, to in f.jumps())
    return f.round


def returning(text):
    return "return" in text or bool(text) and text[-1] not in ";{},:" and not text.startswith(("for ", "while ", "#", "let ", "fn ", "."))


def chosen(functions, names):
    """The functions that names, patterns and files mean; each once, by name."""
    found = {}
    for name in names:
        for f in functions:
            if matches(f, name):
                found[f.start] = f
    return sorted(found.values(), key=lambda f: (f.name, f.start))


def matches(f, name):
    if "*" in name:
        if FRAMEWORK.match(f.name) and not FRAMEWORK.match(name):
            return False
        return not f.library and (fnmatch.fnmatchcase(f.name, name) or fnmatch.fnmatchcase(f.name.split("::")[-1], name))
    if "/" in name or name.endswith((".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs")):
        return f.file == name or f.file.endswith("/" + name.lstrip("./"))
    if f.library and "::" not in name:
        return False
    return f.name == name or means(name, f.name) or not f.library and f.name.startswith(name + "::") and not f.name.startswith(name + "::'lambda")


def copied(debugger, names):
    """The functions into which the compiler has put the code of those that are named, as far as the debugger can tell."""
    return sorted({f for name in names if "*" not in name for f in getattr(debugger, "copied", lambda _: [])(name)})[:FEW]


def unknown(debugger, names):
    """Why no function is meant by names."""
    text = ", ".join(names)
    if within := copied(debugger, names):
        return ("%s has no code of its own that is called: the compiler has put it into %s, where no call of it can be noted; "
                "build it without optimization, and without telling the compiler to do so always") % (text, ", ".join(within))
    return "nothing in the program is called %s%s" % (text, nearest(debugger.functions(), names))


def nearest(functions, names):
    own = sorted({f.name for f in functions if not f.library})
    short = {n.split("::")[-1]: n for n in own}
    near = []
    for name in names:
        near += difflib.get_close_matches(name, own, 3, 0.6) + [short[s] for s in difflib.get_close_matches(name.split("::")[-1].strip("*"), short, 3, 0.6)]
    near = list(dict.fromkeys(near))[:4] or own[:4]
    return "; there are " + ", ".join(near) if near else ""
