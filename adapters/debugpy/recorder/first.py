# Notes the moments at which the condition of a Wish.First comes to hold.
import builtins
import itertools
import os
import re
import sys
import time

from . import nearest
from . import notes as n
from .condition import EACH, MISSING, RESULT, Condition, free
from .instances import Instances
from .judged import Judged
from .private import within
from .show import SCALARS, text
from .source import ANONYMOUS, Source, lines_of

CALLERS = 5
ATOMS = frozenset(SCALARS)
EXACT = (int, bool, str, type(None))  # of which two that are equal look the same
COPIED = (list, tuple, dict, set)
MOST = 64  # elements of a container that are copied: more than a text shows
MOST_SECONDS = 1  # of a run in which values are written down that may not be needed
PLACE = re.compile(r"(.+):(\d+)$")
OPTIMIZED = 1  # flag of a function's code, and not of a class's body or a module's


class Call:
    """A call of a function in which the condition is judged."""

    __slots__ = ("place", "ran", "returned", "begun", "held", "was", "raised", "number")

    def __init__(self, place):
        self.place = place
        self.ran = self.returned = None  # the line of the last statement that began, and of a return
        self.begun = self.held = self.raised = False
        self.was, self.number = None, 0


class Place:
    """A function in which it is judged."""

    def __init__(self, code, source, bound, lines, of_result):
        self.source, self.bound = source, bound
        self.lines = lines  # in front of which it is judged; None: of all statements
        self.of_result = of_result
        whole = code.co_name in ANONYMOUS  # has no statements of its own
        self.inner = {} if whole else source.inner
        self.longer = frozenset() if whole else source.longer
        self.jumps = frozenset()

    def passes(self, line):
        """Says that nothing is to be done where a line is reached."""
        return line in self.inner or self.of_result and line not in self.source.returns


class First:
    def __init__(self, recorder, wish):
        self.recorder, self.notes, self.wish = recorder, recorder.notes, wish
        recorder.compiled(wish["condition"], "condition")
        self.instances = Instances(wish["each"], self.notes.remark, self.own) if wish.get("each") else None
        self.condition = Condition(wish["condition"], self.instances is not None)
        self.expressions = [(x.strip(), recorder.compiled(x, "expressions"), free(x.strip())) for x in wish.get("expressions") or []]
        self.names, self.lines = [], {}  # of the scope; real path: lines
        self.others = None  # of the names: those that no function of the user's has
        self.sources = {}  # real path: Source
        self.left = wish["limit"]
        self.changes = wish.get("changes")  # its values are wanted, and no moments
        self.last = {}  # thread or task: the value at its last judgement, and that as an event has it
        self.done = False
        self.numbered = 0
        self.spent = 0.0
        self.matched = bool(not wish.get("scope"))
        self.missing = {}  # names that a function of the scope does not have
        for part in wish.get("scope") or []:
            self.scope(part)
        self.judged = Judged(self.notes.records)

    def own(self):
        """The files of the user's that may define the class whose instances are meant; empty: none does."""
        name = self.wish["each"].split(".")[-1]
        return {os.path.realpath(path) for path, text in nearest.sources(self.recorder.wish["roots"]) if any(x == name for x, _ in nearest.CLASS.findall(text))}

    def scope(self, part):
        place = PLACE.match(part)
        if place is None:
            return self.names.append(part)
        path, asked = os.path.realpath(place.group(1)), int(place.group(2))
        line = self.recorder.next_line(self.recorder.read(path, "scope")[1], place.group(1), asked, "scope")
        self.lines.setdefault(path, set()).add(self.source(path).begins(line))
        self.matched = True

    def source(self, path):
        found = self.sources.get(path)
        if found is None:
            found = self.sources[path] = Source(path)
        return found

    # Where it is judged.

    def place(self, frame):
        """How it is judged in the function of a frame; None where it is not."""
        code = frame.f_code
        path = self.recorder.path(code)
        lines = None
        if not self.within(code, path):
            lines = self.lines.get(path)
            if not lines or code.co_name in ANONYMOUS or not lines.intersection(lines_of(code)):
                return None
        if code.co_name in ANONYMOUS[1:] and not set(code.co_varnames).intersection(self.condition.free):
            return None  # part of the statement that it stands in
        if code.co_name in ANONYMOUS[1:] and self.condition.of_result:
            return None
        source = self.source(path)
        bound = self.condition.bound(code, source.cls(code))
        lacking = [x for x in bound.others + ([] if bound.ordinary else bound.own) if not self.possible(x, frame, source)]
        self.missing.update((x, frame.f_globals) for x in lacking)
        if lacking or self.condition.of_result and not code.co_flags & OPTIMIZED:
            return None
        return Place(code, source, bound, lines, self.condition.of_result)

    def possible(self, name, frame, source):
        return name in frame.f_globals or name in frame.f_locals or hasattr(builtins, name) or source.may_have(name)

    def within(self, code, path):
        """Says that a function is in the scope, or one around it."""
        r = self.recorder
        if not self.names:
            return not self.lines and r.users(code)
        own = getattr(code, "co_qualname", None)
        if own is None:
            own = self.source(path).qualified(code) if r.users(code) else code.co_name
        parts = own.replace(".<locals>", "").split(".")
        for end in range(len(parts), 0, -1):
            if r.named_so(path, ".".join(parts[:end]), self.names if r.users(code) else self.foreign(), lambda: r.users(code)):
                self.matched = True
                return True
        return False

    def foreign(self):
        """The names that none of the user's functions has, and so may mean a library's."""
        if self.others is None:
            defined = [own for _, own in nearest.functions(self.recorder.wish["roots"])]
            self.others = [name for name in self.names if not any(("." + own + ".").endswith("." + name + ".") for own in defined)]
        return self.others

    # Judgements.

    def reached(self, call, frame, line):
        """A line is reached: it is judged in front of it."""
        place = call.place
        if line in place.inner or line == call.ran and line in place.longer:
            return  # within a statement
        if not self.condition.of_result and (place.lines is None or line in place.lines):
            self.judge(call, frame, line)
        call.ran = line
        if line in place.source.returns:
            call.returned = line

    def again(self, call, frame, line):
        """What a loop within one statement does has been done once more."""
        if not self.condition.of_result and (call.place.lines is None or line in call.place.lines):
            self.judge(call, frame, line)

    def over(self, call, frame, value, raised):
        """The call ends."""
        place = call.place
        if self.condition.of_result:
            at = place.inner.get(frame.f_lineno, frame.f_lineno)
            call.ran = at if at in place.source.returns or call.returned is None else call.returned
            if not raised and (place.lines is None or call.ran in place.lines):
                self.judge(call, frame, 0, (value,))
        elif place.lines is None:
            self.judge(call, frame, 0)

    def judge(self, call, frame, seen, result=()):
        bound = call.place.bound
        values = bound.arguments(frame)
        if values is None:
            return
        if self.instances is not None:
            return self.judge_each(call, frame, seen, values)
        values.extend(result)
        number = self.judged.one()
        if self.changes:
            return n.roomily(self.compare, call, frame, seen, number, values, result)
        try:
            holds = bool(bound.test(*values))
        except RecursionError as e:
            if sys.version_info < (3, 10):
                raise
            return self.vain(call, frame, e)
        except Exception as e:
            return self.vain(call, frame, e)
        if holds and not (call.begun and call.held):
            n.roomily(self.moment, call, frame, seen, number, values, {RESULT: result[0]} if result else {}, call.was)
        call.begun, call.held = True, holds
        if not holds and bound.singles:
            call.was = self.look(bound, values)

    def judge_each(self, call, frame, seen, values):
        """Judges each instance by itself, wherever it was judged before."""
        living, bound = self.instances.living(), call.place.bound
        if not living:
            return
        number, failed = self.judged.one(), None
        self.judged.numbers[3] = self.instances.number
        for one, it in living:
            given = values + [it]
            try:
                holds = bool(bound.test(*given))
            except Exception as e:
                failed = failed or e
                continue
            if holds and not one.held:
                n.roomily(self.moment, call, frame, seen, number, given, {EACH: it}, one.was, (one.number, len(living)))
            elif not holds and bound.singles:
                one.was = self.look(bound, given)
            one.held = holds
        if failed is not None:
            self.vain(call, frame, failed)

    def compare(self, call, frame, seen, number, values, result):
        """Notes the value where it is not that of the judgement before in this thread."""
        who, value = n.thread(), MISSING
        was, told = self.last.get(who, (MISSING, None))
        try:
            value = call.place.bound.test(*values)
        except RecursionError as e:
            if sys.version_info < (3, 10):
                raise
            shown = {"e": n.failure(e)}
        except Exception as e:
            shown = {"e": n.failure(e)}
        else:
            if type(value) is type(was) and type(value) in EXACT and value == was:
                return
            shown = self.notes.shown(value)
        self.last[who] = (value, shown)
        if shown == told:
            return
        values = [shown] + self.asked(frame, {RESULT: result[0]} if result else {})
        self.notes.put('"k":"changed",%s,"h":%d%s,"y":%s,"a":%s,"v":%s,"s":%s' % (
            self.where(call, frame), number, *self.seen(call, frame, seen),
            n.json.dumps([self.condition.text] + [x[0] for x in self.expressions]), n.encoded(values), n.json.dumps(n.callers(frame, CALLERS))))

    def seen(self, call, frame, line):
        """Whether the call has only begun, and in front of which line it was judged, for an event."""
        return ',"m":"begun"' if call.ran is None else "", n.quote("%s:%d" % (frame.f_code.co_filename, line) if line else "")

    def vain(self, call, frame, error):
        if self.judged.vain():
            self.notes.put('"k":"remark",%s,"m":%s' % (self.where(call, frame), n.quote("the condition could not be judged each time: " + n.failure(error))))

    def look(self, bound, values):
        """What the condition compares, in a form that the program does not change any more:
        the values themselves where none can change, else what is kept of each."""
        try:
            seen = bound.look(*values)
            return seen if ATOMS.issuperset(map(type, seen)) else [self.kept(value) for value in seen]
        except RecursionError:
            raise
        except Exception:
            return None

    def kept(self, value):
        """A value as an event tells it, or itself or a copy where that cannot change."""
        if type(value) in ATOMS:
            return None, value
        copy = copied(value)
        if copy is not None:
            return None, copy
        if self.spent > MOST_SECONDS:
            return {"e": "not read any more, for that takes too long each time"}, None
        start = time.perf_counter()
        whole, cut = text(value, self.notes.text)
        self.spent += time.perf_counter() - start
        return ({"v": whole, "u": True} if cut else {"v": whole}), None

    def where(self, call, frame):
        code = frame.f_code
        line = call.place.source.line_of(code) if call.ran is None else call.ran
        who = n.thread()
        if not call.number:
            self.numbered += 1
            call.number = self.numbered
        return '"at":%s,"f":%s,"c":%d%s' % (
            n.quote("%s:%d" % (code.co_filename, line)), n.quote(n.function(frame)), call.number, ',"t":' + n.quote(who) if who else "")

    def moment(self, call, frame, seen, number, values, more, was, instance=None):
        if self.left <= 0:
            return
        self.left -= 1
        c, shown = self.condition, []
        for single in call.place.bound.each(values):
            shown.append(self.shown(single))
        shown += self.asked(frame, more)
        body = '"k":"moment",%s,"h":%d%s,"y":%s,"a":%s,"v":%s' % (
            self.where(call, frame), number, *self.seen(call, frame, seen),
            n.json.dumps(c.looked + c.called + [x[0] for x in self.expressions]), n.encoded(shown))
        if was:
            body += ',"b":%s' % n.encoded([self.before(x) for x in was] if type(was) is list else [self.notes.shown(x) for x in was])
        if instance:
            body += ',"e":%d,"g":%d' % instance
        self.notes.put('%s,"s":%s' % (body, n.json.dumps(n.callers(frame, CALLERS))))
        if self.left <= 0:
            self.done = True

    def asked(self, frame, more):
        """The values of the expressions, which may name more than the frame has."""
        values = []
        for _, code, names in self.expressions:
            there = all(known(x, frame, more) for x in names)
            values.append(self.shown(lambda: self.evaluated(code, frame, more)) if there else {"e": "not readable here"})
        return values

    def shown(self, look):
        try:
            return self.notes.shown(look())
        except RecursionError:
            raise
        except Exception as e:
            return {"e": n.failure(e)}

    def before(self, kept):
        shown, value = kept
        return shown if shown is not None else self.notes.shown(value)

    @staticmethod
    def evaluated(code, frame, more):
        if not more:
            return n.evaluate(code, frame)
        return eval(within(code, frame), {**frame.f_globals, **frame.f_locals, **more})

    # The end.

    def ended(self, lost):
        """The program has ended by itself."""
        self.judged.whole(not lost)
        if not self.matched:
            return self.unmatched()
        if self.instances is not None and not self.instances.number and not lost:
            return self.unbuilt()
        if not self.judged.numbers[0] and self.missing and not lost:
            told = []
            for name, scope in self.missing.items():
                near = nearest.like(name, list(scope))
                told.append(name + ("; there is " + near if near else ""))
            self.notes.remark("no function of the scope that ran could have a value for %s" % ", ".join(told))

    def unbuilt(self):
        """No instance was seen."""
        name = self.instances.name
        classes = {own.rpartition(".")[0]: 0 for _, own in nearest.functions(self.recorder.wish["roots"]) if own.endswith(".__init__")}
        near = "" if any(("." + x).endswith("." + name) for x in classes) else nearest.like(name.split(".")[-1], classes)
        self.notes.remark("no __init__ of %s has returned, by which its instances are known%s" % (name, "; there is " + near if near else ""))

    def unmatched(self):
        """Nothing that ran is in the scope."""
        r, wish = self.recorder, self.names
        defined = nearest.functions(r.wish["roots"])
        there = any(os.path.exists(os.path.join(root, name)) for root in r.wish["roots"] for name in wish if name.endswith(".py"))
        for path, own in () if there else defined:
            parts = own.split(".")
            there = there or any(r.named_so(os.path.realpath(path), ".".join(parts[:end]), wish, lambda: True) for end in range(1, len(parts) + 1))
        if there:
            self.notes.remark("%s: nothing was seen to come there" % ", ".join(wish))
        else:
            r.unknown("scope", wish, defined)


def known(name, frame, more):
    return name in more or name in frame.f_locals or name in frame.f_globals or hasattr(builtins, name)


def copied(value):
    """A copy of what a text of a container begins with; None where that may change as well."""
    kind = type(value)
    if kind not in COPIED:
        return None
    if len(value) <= MOST:
        part = value.copy() if kind is not tuple else value
    elif kind is dict:
        part = dict(itertools.islice(value.items(), MOST))
    elif kind is set:
        return None
    else:
        part = value[:MOST]
    atoms = ATOMS.issuperset(map(type, part)) and (kind is not dict or ATOMS.issuperset(map(type, part.values())))
    return part if atoms else None
