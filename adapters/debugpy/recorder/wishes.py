# Notes what package recording's Wish names.
import ast
import atexit
import os
import sys

from . import nearest
from . import notes as n
from .failures import Failures
from .first import First
from .forked import Forked, followed
from .judging import Judging
from .meant import COMPREHENSIONS, Meant, called
from .source import lines_of
from .sparse import Sparse
from .thin import Thin
from .watch import ALL, RESTING, UNTOLD, Watch
from .writes import Writes

ANONYMOUS = ("<lambda>",) + COMPREHENSIONS
SPAWNING = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver", "multiprocessing.popen_spawn_win32")
MISSING = object()
CLOSED = {"e": "closed before its end"}  # a generator
ENDED = ',"m":"ended"'  # a member of a Leave: recording.Ended


class Recorder(Meant):
    def __init__(self, notes, wish):
        super().__init__(wish["roots"])
        self.notes, self.wish = notes, wish
        self.probes = {}  # real path: {line: [probe]}
        self.named = {}  # real path: lines at which statements begin
        self.late = {}  # id of a frame: the probe whose name only a later statement of the line sets
        self.hits = {}  # id of a code object: {line: [probe]}
        self.calls = wish.get("calls")
        self.thin = None  # what counts calls; None where all are noted
        self.lender = None  # whose the place is where a trace function is called: see watch.py
        self.follow = wish.get("lines")
        self.open = {}  # id of a frame: what is known of its call
        self.depths = {}  # (thread, code): calls under way, of what does not rest
        self.seen = 0  # calls of the function whose lines are wanted
        self.frame = None  # whose lines are noted now
        self.done = False
        self.params = {}  # id of a code object: its parameters
        self.callees = {}  # id of a code object: whether its calls are wanted
        self.failed = set()  # expressions of which it was said that a name is missing
        self.writes = self.first = self.sparse = None
        self.passes = {}  # number of a probe: how often it was noted
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
                self.compiled(self.wish["writes"].get("expression") or "x", "expression")
                self.writes = Writes(self, self.wish["writes"])
                if self.wish["writes"].get("sparse"):
                    self.sparse = Sparse(self, self.wish["writes"]["sparse"])
            if self.wish.get("first"):
                self.first = First(self, self.wish["first"])
        except Refused as refused:
            self.notes.write({"k": "refused", "at": "", "m": str(refused), "a": [refused.field]})
            return False
        return True

    def compiled(self, text, field):
        try:
            return compile(text.strip(), "<%s>" % field, "eval", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            raise Refused("%s is no expression of Python: %s" % (text, getattr(e, "msg", e)), field)

    def prepare(self, number, probe):
        path = os.path.realpath(probe["file"])
        starts, lines, made = self.read(path, "location")
        line = self.next_line(lines, probe["file"], probe["line"], "location")
        self.named[path] = starts
        above = probe.get("frames") or [0] * len(probe["expressions"])
        compiled = {
            "number": number,
            "test": self.compiled(probe["condition"], "condition") if probe.get("condition") else None,
            "values": [self.expression(e, up) for e, up in zip(probe["expressions"], above)],
            "places": probe.get("places") and self.wish.get("writes"),
        }
        compiled["plain"] = not compiled["places"] and not any(above)
        compiled["names"] = frozenset().union(*(names_in(e[1]) for e in compiled["values"]))
        compiled["made"] = compiled["places"] and made.get(line, frozenset()) & names_in(compiled["values"][0][1])
        self.probes.setdefault(path, {}).setdefault(line, []).append(compiled)

    def next_line(self, lines, file, asked, field):
        """The line that is meant by one: itself, where it has code."""
        line = next((x for x in sorted(lines) if x >= asked), None)
        if line is None:
            raise Refused("%s:%d has no code" % (file, asked), field)
        if line != asked:
            self.notes.remark("line %d has no code: %d is the next that has" % (asked, line))
        return line

    def expression(self, text, above):
        code, node = self.compiled(text, "expressions"), ast.parse(text.strip(), mode="eval").body
        return code, node, above, node.id if isinstance(node, ast.Name) else None

    def read(self, path, field):
        """The lines at which statements begin, all that have code, and what is set in those
        at which several begin."""
        try:
            with open(path, "rb") as f:
                source = f.read()
            code, tree = compile(source, path, "exec", dont_inherit=True), ast.parse(source)
        except (OSError, SyntaxError, ValueError) as e:
            raise Refused("%s cannot be read: %s" % (path, e), field)
        lines, todo = set(), [code]
        while todo:
            one = todo.pop()
            lines.update(lines_of(one))
            todo.extend(c for c in one.co_consts if hasattr(c, "co_code"))
        begun = {}
        for s in ast.walk(tree):
            if isinstance(s, ast.stmt):
                begun.setdefault(s.lineno, []).append(s)
        made = {line: frozenset(x.id for s in found for x in ast.walk(s) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store) and x.lineno == line)
                for line, found in begun.items() if len(found) > 1}
        return set(begun), lines, made

    # What is watched.

    def start(self):
        if self.first is not None:
            self.watch = Judging(self.first)
        elif self.calls is None and self.follow is None and self.writes is None:
            self.watch = Watch(self.lines, self.on_hit)
        else:
            self.watch = Watch(self.lines, self.on_line, self.counts, self.on_enter, self.on_leave, self.writes and self.writes.raised)
            if self.calls is not None and self.calls.get("thin") and self.writes is None and self.follow is None:
                self.thin = self.watch.thin = Thin(self.notes, self.calls["thin"])
                self.watch.open = self.open
        if self.writes is not None and self.writes.quick is not None:
            self.watch.quick = self.writes.quick.liner()
        self.watch.lender, self.watch.sparse = self.lender, self.sparse
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.stop_unnoted)
        if self.lender is None and followed(self.wish):
            Forked(self).start()
        Failures(self).start()
        self.watch.start()

    def stop_unnoted(self):
        """This is a forked process."""
        if self.notes.off:
            self.watch.stop()

    def end(self):
        """The program has ended by itself: what was not seen is said."""
        with n.Apart(self.notes):
            if self.notes.off:
                return
            if self.notes.forks is None or not self.notes.forks.made:
                self.unmatched()
            else:
                self.notes.forks.ended()
            for text in self.told_aside():
                self.notes.remark(text)
            if self.writes is not None:
                self.writes.ended()
            lost = self.watch.lost()
            if self.first is not None:
                self.first.ended(lost)
            if lost:
                why = "a recursion left no room to note anything" if self.watch.deep else "the program has set a trace function of its own, or watches itself, as coverage does"
                self.notes.remark(why + ": after that nothing was noted")
            if any(m in sys.modules for m in SPAWNING):
                self.notes.remark("the program has started child processes by multiprocessing: what they do is not recorded", "apart")

    def lines(self, code):
        if self.followed(code):
            return ALL
        mine = self.writes.lines(code) if self.writes is not None and self.users(code) else None
        probes = self.probes.get(self.path(code))
        if not probes:
            return mine
        starts = self.named[self.path(code)]
        first = code.co_firstlineno
        own = lines_of(code)
        variables = frozenset(code.co_varnames + code.co_cellvars)
        here = {x: p for x, p in probes.items() if x in own and (
            code.co_name not in ANONYMOUS or x not in starts or x != first or any(probe["names"] & variables for probe in p))}
        if not here:
            return mine
        self.hits[id(code)] = here
        if self.sparse is not None:
            self.sparse.apart.add(id(code))
        return frozenset(here) | (mine or frozenset())

    def counts(self, code):
        if self.followed(code):
            return True
        if self.writes is not None and self.users(code) and (self.writes.all or self.writes.lines(code)):
            return True
        return self.calls is not None and called(code) and self.matches(code, self.calls["names"])

    def followed(self, code):
        """Says that a function's lines are wanted, each with what it changes."""
        name = self.follow and self.follow["function"]
        return name is not None and (called(code) or code.co_name == name) and self.matches(code, [name])

    def unmatched(self):
        """Says that no function was found that is called as was asked."""
        names = self.calls["names"] if self.calls is not None else [self.follow["function"]] if self.follow is not None else []
        names = [x for x in names if x not in self.matched and x != "*"]
        if not names or self.matched and self.writes is not None:
            return
        field = "functions" if self.calls is not None else "function"
        defined = nearest.functions(self.roots)
        if self.matched:
            for name in names:
                if not any(self.named_so(os.path.realpath(path), own, [name], lambda: True) for path, own in defined):
                    self.notes.remark("no function of the program's own sources is called %s, and none that was called%s" % (name, self.near([name], defined)))
            return
        if any(self.named_so(os.path.realpath(path), own, names, lambda: True) for path, own in defined):
            self.notes.remark("%s: no call of it was seen" % ", ".join(names))
        else:
            self.unknown(field, names, defined)

    def unknown(self, field, names, defined):
        """The program has nothing of what a wish names."""
        self.notes.write({"k": "missing", "at": "", "a": [field], "m": "no function of the program is called %s%s" % (" or ".join(names), self.near(names, defined))})

    # What happens.

    def on_hit(self, frame, line):
        """A line is reached of which only values are wanted."""
        me, busy = n.ident(), self.notes.busy
        if me in busy:
            return
        busy.add(me)
        try:
            for probe in self.hits[id(frame.f_code)].get(line, ()):
                self.hit(probe, frame)
        finally:
            busy.discard(me)

    def on_line(self, frame, line):
        counted = self.sparse is not None and self.sparse.skips()
        if counted:
            self.sparse.passed(frame)
            if not self.late and id(frame.f_code) not in self.hits:
                return
        with n.Apart(self.notes) as first:
            if not first:
                return
            if self.frame is not None and frame is self.frame["frame"]:
                self.line(frame)
            if self.writes is not None and not counted:
                self.writes.line(frame, line)
            self.hit_late(frame)
            found = self.hits.get(id(frame.f_code))
            if found is not None:
                for probe in found.get(line, ()):
                    if probe["made"] and not all(name in frame.f_locals or name not in frame.f_code.co_varnames + frame.f_code.co_names for name in probe["made"]):
                        self.late[id(frame)] = (probe, self.notes.where(frame))
                        continue
                    self.hit(probe, frame)

    def hit_late(self, frame):
        """A line has run of which a value was wanted that only its further statements set."""
        found = self.late.pop(id(frame), None)
        if found is not None:
            self.hit(found[0], frame, found[1])

    def hit(self, probe, frame, where=None):
        if probe["test"] is not None:
            try:
                if not n.evaluate(probe["test"], frame):
                    return
            except BaseException as e:
                self.missing(e, frame)
                self.noted(probe, frame, n.encoded([{"e": "condition: " + n.failure(e)}]), where)
                return
        if probe["plain"]:
            return self.noted(probe, frame, self.plain(probe, frame), where)
        if probe["places"] and not (self.sparse is not None and self.sparse.tick is not None):
            for _, node, above, _ in probe["values"][:1]:
                self.writes.sighted(node, frame)
        self.noted(probe, frame, n.encoded([self.value(v, frame, probe) for v in probe["values"]]), where)

    def noted(self, probe, frame, values, where=None):
        number = ',"p":%d' % probe["number"] if probe["number"] else ""
        if self.sparse is not None:
            self.passes[probe["number"]] = self.passes.get(probe["number"], 0) + 1
            number += ',"h":%d' % self.passes[probe["number"]]
        self.notes.put('"k":"hit",%s%s,"v":%s' % (where or self.notes.where(frame), number, values))

    def plain(self, probe, frame):
        """The values of a frame, as JSON."""
        scope, parts = frame.f_locals, []
        for code, _, _, name in probe["values"]:
            try:
                value = scope.get(name, MISSING) if name is not None else MISSING
                if value is MISSING:
                    value = n.evaluate(code, frame)
                parts.append(n.encoded([self.notes.shown(value)])[1:-1])
            except BaseException as e:  # the program's own code
                self.missing(e, frame)
                parts.append(n.json.dumps({"e": n.failure(e)}))
        return "[%s]" % ",".join(parts)

    def missing(self, error, frame):
        """Says once what is like a name that is not there."""
        text = str(error)
        if not isinstance(error, (NameError, AttributeError)) or text in self.failed:
            return
        self.failed.add(text)
        near = nearest.of_failure(error, frame)
        if near:
            self.notes.remark("%s at %s:%d; there is %s" % (text, os.path.basename(frame.f_code.co_filename), frame.f_lineno, near))

    def value(self, expression, frame, probe):
        code, node, above, _ = expression
        for _ in range(above):
            frame = frame.f_back
            if frame is None:
                return {"e": "there is no such caller"}
        shown = self.notes.evaluated(code, frame)
        if probe["places"]:
            found = self.writes.places.find(node, frame)
            if found is not None and found[0] is not None and found[1] is not MISSING:
                shown.update((k, v) for k, v in self.writes.valued(found).items() if k in "oih")
        return shown

    def on_enter(self, frame):
        if self.sparse is not None and self.sparse.skips():
            return
        with n.Apart(self.notes) as first:
            if not first:
                return
            code = frame.f_code
            if self.frame is None and not self.done and self.followed(code):
                self.begin(frame)
            every = self.writes is not None and self.writes.all
            if not every and (self.calls is None or not self.wanted(code)):
                return
            number = self.number(frame)
            depth, key = self.depth(frame, code)
            names, written = self.parameters(code)
            scope, caller = frame.f_locals, n.callers(frame, 1)
            self.notes.put('"k":"enter",%s,"c":%d%s,"a":%s,"v":%s%s' % (
                self.notes.where(frame), number, (',"d":%d' % depth if depth else "") + (',"w":true' if key is None else ""), written,
                n.encoded([self.argument(k, frame, scope) for k in names]), ',"s":[%s]' % n.quote(caller[0]) if caller else ""))
            self.open[id(frame)] = (number, key)
            if key is not None:
                self.depths[key] = depth + 1

    def depth(self, frame, code):
        """How many calls of the same function are under way above a call, and where they
        are counted. Of what rests and goes on later those on the stack are, for others
        run beside it."""
        if code.co_flags & RESTING:
            depth, above = 0, frame.f_back
            while above is not None:
                depth += above.f_code is code
                above = above.f_back
            return depth, None
        key = (n.ident(), id(code))
        return self.depths.get(key, 0), key

    def parameters(self, code):
        """The names of a function's parameters, and the same as JSON."""
        found = self.params.get(id(code))
        if found is None:
            total = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
            names = code.co_varnames[:total]
            found = self.params[id(code)] = (names, n.json.dumps(names))
        return found

    def wanted(self, code):
        """Says whether the calls of a function are wanted, and not only its lines."""
        found = self.callees.get(id(code))
        if found is None:
            found = self.callees[id(code)] = called(code) and self.matches(code, self.calls["names"])
        return found

    def argument(self, name, frame, scope):
        if name not in scope:
            return {"e": "deleted"}
        if self.writes is None:
            return self.notes.shown(scope[name])
        return self.writes.valued((self.writes.places.variable(name, frame)[0], scope[name]))

    def on_leave(self, frame, value, error):
        counted = self.sparse is not None and self.sparse.skips()
        with n.Apart(self.notes) as first:
            if not first:
                return
            if counted:
                self.hit_late(frame)
                return self.sparse.left(frame)
            line, ended = None, False
            if self.writes is not None:
                ended = error is None and value is None and called(frame.f_code) and self.writes.ends(frame)
                line = self.writes.left_at(frame, value)
                if error is not None:
                    self.writes.raised(frame)
                else:
                    self.writes.result(frame, value)
                self.writes.finish(frame)
                self.writes.forget(frame)
            self.hit_late(frame)
            if self.frame is not None and frame is self.frame["frame"]:
                self.line(frame)
                self.frame, self.done = None, True
            call, key = self.open.pop(id(frame), (0, None))
            if call:
                if key is not None:
                    self.depths[key] -= 1
                closed = type(error) is GeneratorExit and frame.f_code.co_flags & RESTING  # it is how whoever is done with one ends it
                shown = CLOSED if closed else self.result(value) if error is None else self.raised(error)
                self.notes.put('"k":"leave",%s,"c":%d,"v":%s%s' % (self.notes.where(frame, line), call, n.encoded([shown]), ',"x":true' if error is not None and not closed else ENDED if ended else ""))
            self.numbers.pop(id(frame), None)

    def raised(self, error):
        if error is UNTOLD:
            return {"e": "it is not seen which exception that was"}
        return self.notes.failed(error)

    def result(self, value):
        return self.notes.shown(value) if self.writes is None else self.writes.valued((None, value))

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
                if not n.evaluate(self.follow["test"], frame):
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
        event = {"k": "line", "at": ran, "f": n.function(frame)}
        who = n.thread()
        if who:
            event["t"] = who
        if not self.follow.get("expressions"):
            self.notes.write({**event, "a": changed, "v": [now[k] for k in changed]})
        elif changed:
            self.notes.write({**event, "v": list(now.values())})


def names_in(node):
    """The names of which an expression takes the values from where it stands."""
    own = {x.arg for x in ast.walk(node) if isinstance(x, ast.arg)}
    own.update(x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store))
    return frozenset(x.id for x in ast.walk(node) if isinstance(x, ast.Name)) - own


class Refused(Exception):
    def __init__(self, text, field):
        super().__init__(text)
        self.field = field
