# Notes what package recording's Wish names.
import ast
import fnmatch
import os
import sys

from . import notes as n
from .watch import ALL, Watch
from .writes import Writes, callers


class Recorder:
    def __init__(self, notes, wish):
        self.notes, self.wish = notes, wish
        self.files = {}  # co_filename: real path
        self.probes = {}  # real path: {line: [(number, probe)]}
        self.named = {}  # real path: lines at which statements begin
        self.calls = wish.get("calls")
        self.follow = wish.get("lines")
        self.open = {}  # id of a frame: what is known of its call
        self.depths = {}  # (thread, code): calls under way
        self.seen = 0  # calls of the function whose lines are wanted
        self.frame = None  # whose lines are noted now
        self.done = False
        self.writes = None
        self.numbers = {}  # id of a frame: its number, while it lives
        self.numbered = 0

    # What is wrong with a wish is said before anything runs.

    def possible(self):
        try:
            for number, probe in enumerate(self.wish.get("values") or []):
                self.prepare(number, probe)
            if self.follow:
                self.follow["compiled"] = [self.compiled(e, "expressions") for e in self.follow.get("expressions") or []]
                if self.follow.get("condition"):
                    self.follow["test"] = self.compiled(self.follow["condition"], "condition")
            if self.wish.get("writes"):
                expression = self.wish["writes"].get("expression") or "x"
                self.compiled(expression, "expression")
                self.writes = Writes(self, self.wish["writes"])
        except Refused as refused:
            self.notes.write({"k": "refused", "m": str(refused), "a": [refused.field]})
            return False
        return True

    def compiled(self, text, field):
        try:
            return compile(text.strip(), "<%s>" % field, "eval", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            raise Refused("%s is no expression of Python: %s" % (text, getattr(e, "msg", e)), field)

    def prepare(self, number, probe):
        path = os.path.realpath(probe["file"])
        starts, lines = self.lines_of(path)
        line = next((x for x in sorted(lines) if x >= probe["line"]), None)
        if line is None:
            raise Refused("%s:%d has no code" % (probe["file"], probe["line"]), "location")
        if line != probe["line"]:
            self.notes.remark("line %d has no code: %d is the next that has" % (probe["line"], line))
        self.named[path] = starts
        compiled = {
            "number": number,
            "test": self.compiled(probe["condition"], "condition") if probe.get("condition") else None,
            "values": [(self.compiled(e, "expressions"), ast.parse(e.strip(), mode="eval").body, above)
                       for e, above in zip(probe["expressions"], probe.get("frames") or [0] * len(probe["expressions"]))],
            "places": probe.get("places"),
        }
        self.probes.setdefault(path, {}).setdefault(line, []).append(compiled)

    def lines_of(self, path):
        """The lines at which statements begin, and all that have code."""
        try:
            with open(path, "rb") as f:
                source = f.read()
            code, tree = compile(source, path, "exec", dont_inherit=True), ast.parse(source)
        except (OSError, SyntaxError, ValueError) as e:
            raise Refused("%s cannot be read: %s" % (path, e), "location")
        lines, todo = set(), [code]
        while todo:
            one = todo.pop()
            lines.update(line for _, _, line in one.co_lines() if line) if hasattr(one, "co_lines") else lines.update(x for _, x in __import__("dis").findlinestarts(one))
            todo.extend(c for c in one.co_consts if hasattr(c, "co_code"))
        return {s.lineno for s in ast.walk(tree) if isinstance(s, ast.stmt)}, lines

    # What is watched.

    def start(self):
        calls = self.calls is not None or self.follow is not None or self.writes is not None
        self.watch = Watch(self.lines, self.on_line, self.counts, self.on_enter if calls else None, self.on_leave)
        self.watch.start()

    def path(self, code):
        name = code.co_filename
        found = self.files.get(name)
        if found is None:
            found = self.files[name] = os.path.realpath(name)
        return found

    def users(self, code):
        path = self.path(code)
        return any(path.startswith(root + os.sep) for root in self.wish["roots"]) and os.sep + "site-packages" + os.sep not in path

    def lines(self, code):
        if self.follow is not None and self.matches(code, [self.follow["function"]]):
            return ALL
        mine = self.writes.lines(self.path(code)) if self.writes is not None and self.users(code) else None
        probes = self.probes.get(self.path(code))
        if not probes:
            return mine
        anonymous = code.co_name in ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
        starts = self.named[self.path(code)]
        return frozenset(x for x in probes if not (anonymous and x in starts and x == code.co_firstlineno)) | (mine or frozenset()) or None

    def counts(self, code):
        if self.follow is not None and self.matches(code, [self.follow["function"]]):
            return True
        if self.writes is not None and self.users(code) and self.writes.lines(self.path(code)):
            return True
        return self.calls is not None and code.co_name != "<module>" and self.matches(code, self.calls["names"])

    def matches(self, code, names):
        own = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
        path = self.path(code)
        module = self.module(path)
        whole = module + "." + own if module else own
        for name in names:
            if name == path or name.endswith(".py") and path.endswith(os.sep + name):
                return True
            if "*" in name:
                if self.users(code) and (fnmatch.fnmatchcase(own, name) or fnmatch.fnmatchcase(whole, name)):
                    return True
            elif ("." + whole).endswith("." + name):
                return True
            elif module == name or module.startswith(name + "."):
                return self.users(code)
        return False

    def module(self, path):
        """The dotted name of a file, as it is imported."""
        base, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
        parts = [] if name == "__init__" else [name]
        while os.path.exists(os.path.join(base, "__init__.py")):
            parts.insert(0, os.path.basename(base))
            base = os.path.dirname(base)
        return ".".join(parts)

    # What happens.

    def on_line(self, frame, line):
        with n.Apart(self.notes) as first:
            if not first:
                return
            if self.frame is not None and frame is self.frame["frame"]:
                self.line(frame)
            if self.writes is not None:
                self.writes.line(frame, line)
            for probe in self.probes.get(self.path(frame.f_code), {}).get(line, ()):
                if probe["test"] is not None:
                    try:
                        if not eval(probe["test"], frame.f_globals, frame.f_locals):
                            continue
                    except BaseException as e:
                        self.notes.write(self.event("hit", frame, p=probe["number"], v=[{"e": "condition: %s: %s" % (type(e).__name__, e)}]))
                        continue
                self.notes.write(self.event("hit", frame, p=probe["number"], v=[self.value(v, frame, probe) for v in probe["values"]]))

    def value(self, expression, frame, probe):
        code, node, above = expression
        for _ in range(above):
            frame = frame.f_back
            if frame is None:
                return {"e": "there is no such caller"}
        shown = self.notes.evaluated(code, frame)
        if probe["places"] and self.writes is not None:
            found = self.writes.find(node, frame)
            if found is not None and found[0] is not None:
                shown.update((k, v) for k, v in self.writes.valued(found).items() if k in "oih")
        return shown

    def event(self, kind, frame, **more):
        e = {"k": kind, "at": n.at(frame), "f": n.function(frame)}
        t = n.thread()
        if t:
            e["t"] = t
        e.update((k, v) for k, v in more.items() if v)
        return e

    def on_enter(self, frame):
        with n.Apart(self.notes) as first:
            if not first:
                return
            code = frame.f_code
            if self.follow is not None and self.frame is None and not self.done and self.matches(code, [self.follow["function"]]):
                self.begin(frame)
            every = self.writes is not None and self.writes.all
            if not every and (self.calls is None or not self.matches(code, self.calls["names"])):
                return
            number = self.number(frame)
            key = (n._thread.get_ident(), code)
            depth = self.depths.get(key, 0)
            self.depths[key] = depth + 1
            self.open[id(frame)] = (number, key)
            total = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
            names, scope = code.co_varnames[:total], frame.f_locals
            self.notes.write(
                self.event(
                    "enter", frame, c=number, d=depth, a=list(names),
                    v=[self.argument(k, frame, scope) for k in names],
                    s=callers(frame)[:1],
                )
            )

    def argument(self, name, frame, scope):
        if name not in scope:
            return {"e": "deleted"}
        if self.writes is not None:
            return self.writes.valued((self.writes.variable(name, frame)[0], scope[name]))
        return self.notes.shown(scope[name])

    def on_leave(self, frame, value, error):
        with n.Apart(self.notes) as first:
            if not first:
                return
            if self.writes is not None:
                self.writes.finish(frame)
            self.numbers.pop(id(frame), None)
            if self.frame is not None and frame is self.frame["frame"]:
                self.line(frame)
                self.frame, self.done = None, True
            call, key = self.open.pop(id(frame), (0, None))
            if call:
                self.depths[key] -= 1
                shown = self.notes.shown(value) if error is None else {"v": self.notes.cut("%s: %s" % (type(error).__name__, error))}
                self.notes.write(self.event("leave", frame, c=call, v=[shown], x=error is not None))

    def number(self, frame):
        """Tells the calls of a run apart, by their frames."""
        found = self.numbers.get(id(frame))
        if found is None:
            self.numbered += 1
            found = self.numbers[id(frame)] = self.numbered
        return found

    # The lines of one call.

    def begin(self, frame):
        wanted = self.follow.get("call") or 0
        self.seen += 1
        if wanted and self.seen != wanted:
            return
        if "test" in self.follow:
            try:
                if not eval(self.follow["test"], frame.f_globals, frame.f_locals):
                    return
            except BaseException:
                return
        self.frame = {"frame": frame, "at": None, "old": self.state(frame)}

    def state(self, frame):
        asked = self.follow.get("expressions")
        if asked:
            return {text: self.notes.evaluated(code, frame) for text, code in zip(asked, self.follow["compiled"])}
        return {k: self.notes.shown(v) for k, v in list(frame.f_locals.items())}

    def line(self, frame):
        """The line that has run until now: what it has changed."""
        f = self.frame
        ran, f["at"] = f["at"], n.at(frame)
        if ran is None:
            return
        now = self.state(frame)
        changed = [k for k in now if f["old"].get(k) != now[k]]
        f["old"] = now
        if self.follow.get("expressions"):
            if changed:
                self.notes.write({**self.event("line", frame), "at": ran, "v": list(now.values())})
            return
        self.notes.write({**self.event("line", frame), "at": ran, "a": changed, "v": [now[k] for k in changed]})


class Refused(Exception):
    def __init__(self, text, field):
        super().__init__(text)
        self.field = field
