# Notes what statements write to, and what they read before, by looking at the frame
# when a statement begins and when it has run. Nothing of the program's is called for
# that. What a statement changes through what it calls is found by comparing the
# objects that it names before and after; what has changed between two looks, and no
# statement seen has done it, is said to be unseen.
import os
import types

from . import notes as n
from .contents import Look, contents
from .held import Held
from .named import function_of, hold, member, spelt
from .places import CODE, MISSING, SIMPLE, Places, attribute, element, is_body, setter
from .quick import UNCOUNTED, Quick
from .statements import RETURNS, ast, scopes

UNSEEN = "unseen"
MOST_PLACES = 100_000  # that are counted
BOUND = (types.BuiltinMethodType, types.MethodType, type([].__iadd__))  # methods, with the object that they are of
KINDS = ("frame", "captured", "global ")  # how the places of variables begin
NOTHING = {}
UNTOLD = types.SimpleNamespace(returns="")  # in place of a statement of which it is not known whether it has begun


class Pending:
    """A statement that runs."""

    __slots__ = ("frame", "statement", "line", "targets", "objects", "held", "changed", "inside", "raised", "began")

    def __init__(self, frame, statement, targets, objects, held, inside, began):
        self.frame, self.statement, self.line = frame, statement, frame.f_lineno
        self.targets, self.objects, self.held, self.inside, self.raised = targets, objects, held, inside, False
        self.began = began  # how many writes were noted before
        self.changed = []  # of what is held: the places that were noted


class Writes:
    def __init__(self, recorder, wish):
        self.recorder, self.notes = recorder, recorder.notes
        self.all = wish.get("all")
        self.node = None if self.all else ast.parse(wish["expression"].strip(), mode="eval").body
        self.wanted = self.node and member(self.node)
        self.seen_at = self.wanted and wish.get("line") and function_of(wish["file"], wish["line"], self.wanted)
        self.file = os.path.realpath(wish["file"]) if self.wanted and wish.get("line") else None
        self.line_of = wish.get("line")
        self.standing = None  # the statement at which it is asked
        self.text, self.met = not self.all and wish["expression"].strip(), False
        self.places = Places(recorder.number)
        self.files = {}  # real path: {scope: {line: Statement}}
        self.codes = {}  # id of a code object: its statements by their lines
        self.pending = {}  # id of a frame: Pending
        self.given = {}  # id of a frame: the line that began last in it of those with a return
        self.count = 0  # of the writes that were noted
        self.latest = {}  # place: the number of the last write to it, and what it put there
        self.left = {}  # place: the Look of the object in it when it was last noted
        self.few = wish.get("ends")  # that are enough, the first and the last
        self.numbers = {}  # place: how many writes to it were noted, where they are numbered
        self.unsure = None  # where one first began that may have written what was there already
        self.inner = None  # where it was first seen that only what lies in one was changed, if it was
        self.setters = set()  # the properties that were assigned to
        self.held_by = Held()
        # Where it is asked what a value came from, what is short of time is looked for by its name.
        self.by_any_name = self.wanted is not None and self.wanted != "]" and (wish.get("part") or not recorder.wish.get("values"))
        self.notes.few = bool(self.few) and not recorder.wish.get("values")  # of all objects: the last of one may be far from the end
        self.quick = Quick(recorder, self, self.few) if self.few else None

    # Which lines matter.

    def statements(self, code):
        """The statements of a function by each of their lines."""
        found = self.codes.get(id(code))
        if found is not None:
            return found
        path = self.recorder.path(code)
        if path not in self.files:
            try:
                with open(path, "rb") as f:
                    self.files[path] = scopes(ast.parse(f.read()))
            except (OSError, SyntaxError, ValueError, RecursionError):
                self.files[path] = {}
        key = ("<module>", 0) if code.co_name == "<module>" else (code.co_name, code.co_firstlineno)
        own = self.files[path].get(key, {})
        found = dict(own)
        for s in own.values():  # one may begin with a line that is not its first
            for line in range(s.first + 1, s.last + 1):
                found.setdefault(line, s)
        if path == self.file:
            self.standing = found.get(self.line_of) or self.standing
        self.codes[id(code)] = found
        return found

    def lines(self, code):
        """The lines that matter, None where none does."""
        found = self.statements(code)
        if self.all or any(self.asked(t, code) for s in found.values() for t in s.targets) or any(self.aside(s) or self.holds(s) or self.renamed(s) or self.named(s) for s in found.values()):
            return frozenset(found) or None
        return None

    def aside(self, s):
        """Says that a statement may write to a member that it does not name."""
        return s.risky if self.wanted[-1] == "]" else s.by_name and self.wanted[0] == "."

    def holds(self, s):
        """Says that a statement may change what lies in the object that is asked about."""
        return not self.all and self.wanted != "]" and s.risky and any(spelt(member(node)) == spelt(self.wanted) for node in s.bases)

    def renamed(self, s):
        """Says that a statement may do so by another name of that object."""
        return self.by_any_name and bool(s.changing)

    def named(self, s):
        """Says that a statement names that object, which something else may change then, or
        that it is the one at which the object is asked about, by whatever name others know it."""
        return self.by_any_name and (s is self.standing or any(spelt(member(node)) == spelt(self.wanted) for node in s.bases))

    def meet(self, s, frame):
        for node in (s.bases if s is not self.standing else [*s.bases, self.node]) if self.named(s) else ():
            place, value = spelt(member(node)) == spelt(self.wanted) and self.places.find(node, frame) or (None, MISSING)
            self.met = self.met or place is not None
            if place is not None and self.wants(place) and place not in self.held_by.values and not self.elsewhere(frame.f_code, place):
                self.held_by.put(place, value)
                if place in self.held_by.values:
                    self.left.setdefault(place, self.look(value))

    def held(self, s, frame):
        """That object, where it lies, and how it looks before the statement."""
        found = []
        for node in s.bases if self.holds(s) else ():
            base, place, value, key = spelt(member(node)) == spelt(self.wanted) and self.target(node, frame) or (None, None, MISSING, None)
            if place is not None and self.wants(place) and not self.elsewhere(frame.f_code, place) and value is not MISSING and not isinstance(value, SIMPLE) and all(place != h[0] for h in found):
                before = self.look(value)
                if self.left.get(place, before).differs(before):  # through another name of it
                    self.put(frame, frame.f_lineno, place, self.left[place].shown, before, UNSEEN)
                found.append((place, value, before, (base, node, key)))
        for node in s.changing if self.held_by.places and self.renamed(s) else ():
            value = (self.places.find(node, frame) or (None, MISSING))[1]
            for place in self.held_by.of(value):
                if all(value is not h[1] for h in found):
                    found.append((place, value, self.look(value), None))
        return found

    def replaced(self, p, place, value, lies):
        """Says that what a statement has called has put another object where this one lay: what has
        become of this one is no write to that place."""
        if lies is None:
            return self.held_by.values.get(place) is not value
        base, node, key = lies
        return not isinstance(node, ast.Name) and self.latest.get(place, (0,))[0] > p.began and self.again(base, node, key) is not value

    def look(self, value):
        return Look(self.notes.shown(value), None if self.all else contents(value))

    def asked(self, target, code):
        if self.all:
            return True
        own = member(target)
        if self.wanted[0] == "." and isinstance(target, ast.Name) and (is_body(code) or self.of_module(code)):
            own = "." + own  # what these assign to are members of the class, or of the module
        return spelt(own) == spelt(self.wanted) or own[-1] == self.wanted[-1] == "]" and "]" in (own, self.wanted)

    def of_module(self, code):
        """Says that code may be of a module whose member is asked about."""
        folder, file = os.path.split(code.co_filename)
        named = os.path.basename(folder) if file == "__init__.py" else file[:-3]
        return self.wanted[0] == "." and member(self.node.value).lstrip(".") == named

    def wants(self, place):
        """The same, of a place that no target names."""
        return self.all or place.endswith(self.wanted) or spelt(place) == self.wanted or self.wanted[-1] == "]" and place.endswith("[*]")

    def elsewhere(self, code, place):
        """Says that a variable is not the one that was asked about, but one of another
        function, or of the module, that has its name."""
        if not self.seen_at or self.wanted[0] == "." or not (place.startswith(KINDS) or is_body(code)):
            return False
        file, first, last = self.seen_at
        if last is None:  # it is of no function, and those of other modules are others
            return place.startswith(KINDS[:2]) or self.recorder.path(code) != file
        return not place.startswith(KINDS[:2]) or self.recorder.path(code) != file or not first <= code.co_firstlineno <= last

    # What happens.

    def line(self, frame, line):
        if self.quick is not None:
            self.quick.ends(frame, line)
        before = self.pending.get(id(frame))
        s = self.statements(frame.f_code).get(line)
        if before is not None:
            if s is before.statement:
                if line != s.first:
                    before.inside = True
                    return
                if before.inside:  # back from its further lines
                    before.inside = False
                    return
            self.finish(frame, line)
        if s is None:
            return
        if s.returns:
            self.given[id(frame)] = s
        if self.all and (s.reads or s.risky):
            self.use(s, frame)
        held = self.held(s, frame)
        self.meet(s, frame)
        if not self.all and not held and not self.aside(s) and not any(self.asked(t, frame.f_code) for t in s.targets):
            return
        targets = [(t, self.target(t, frame)) for t in s.targets if self.asked(t, frame.f_code)]
        objects = self.objects(s, frame) if s.risky else ()
        for value in objects:
            self.unseen(value, frame)
        if targets or objects or s.risky:
            if self.recorder.sparse is not None:
                self.recorder.sparse.apart.add(id(frame.f_code))
            self.pending[id(frame)] = Pending(frame, s, targets, objects, held, line != s.first, self.count)

    def goes_on(self, frame):
        """A statement is under way of which it was not noted how it began: see sparse.py."""
        p = self.pending.get(id(frame))
        if p is not None:
            for value in p.objects:
                self.places.changed(value)
            return
        s = self.statements(frame.f_code).get(frame.f_lineno)
        self.given[id(frame)] = s if s is not None and s.returns else UNTOLD
        if s is None:
            return
        self.notes.put('"k":"use","at":"","f":%s,"c":%d' % (n.quote(n.function(frame)), self.recorder.number(frame)))
        targets = [(t, self.target(t, frame)) for t in s.targets]
        self.pending[id(frame)] = Pending(frame, s, targets, self.objects(s, frame) if s.risky else (), (), frame.f_lineno != s.first, self.count)

    def use(self, s, frame):
        names, values = [], []
        for text, node in s.reads:
            found = self.places.find(node, frame)
            if found is not None and found[1] is not MISSING and not isinstance(found[1], CODE):
                names.append(text)
                values.append(self.valued(found))
        if names or s.risky:  # what it calls is found behind it
            self.notes.put('"k":"use",%s,"c":%d,"a":%s,"v":%s' % (
                self.notes.where(frame), self.recorder.number(frame), n.json.dumps(names), n.encoded(values)))

    def objects(self, s, frame):
        """The objects that a statement names and may change by what it calls."""
        found = []
        for node in s.bases + s.callees:
            f = self.places.find(node, frame)
            if f is None:
                continue
            value = f[1].__self__ if isinstance(f[1], BOUND) else MISSING if node in s.callees else f[1]
            if value is MISSING or isinstance(value, SIMPLE + (types.ModuleType,)) or any(value is o for o in found):
                continue
            found.append(value)
            if len(found) == 12:
                break
        return found

    def unseen(self, value, frame):
        for place, was, now in self.places.changed(value):
            if self.wants(place):
                self.wrote(frame, frame.f_lineno, place, was, now, UNSEEN)

    def raised(self, frame):
        before = self.pending.get(id(frame))
        if before is not None:
            before.raised = True
        if self.quick is not None:
            self.quick.raised(frame)

    def finish(self, frame, following=0):
        """The statement that has run until now: what it has written."""
        if self.quick is not None:
            self.quick.ends(frame, following)
        p = self.pending.pop(id(frame), None)
        if p is None:
            return
        s = p.statement
        for place, value, before, lies in p.held:
            if self.replaced(p, place, value, lies):
                continue
            after, left = self.look(value), self.left.get(place, before)
            if left.differs(before):  # what it has called has noted it
                before = left
            if after.differs(before):
                p.changed.append(place)
                self.put(p.frame, p.line, place, before.shown, after)
            elif after.shown != before.shown and self.inner is None:
                self.inner = ", first at %s:%d" % (os.path.basename(p.frame.f_code.co_filename), p.line)
        if s.body is None or s.body[0] <= following <= s.body[1]:
            again = following == s.first  # perhaps it goes on, with its targets not yet written
            for target, old in p.targets:
                self.check(p, target, old, p.raised or again)
        for value in p.objects:
            self.called(p, value)

    def called(self, p, value):
        """What a statement has changed of an object by what it has called."""
        for place, was, now in self.places.changed(value):
            if self.wants(place):
                self.wrote(p.frame, p.line, place, was, now)

    def result(self, frame, value):
        """A call ends: its last statement may have made the result."""
        p = self.pending.get(id(frame))
        if p is not None and p.statement.risky and not isinstance(value, SIMPLE):
            self.called(p, value)

    def check(self, p, target, old, doubtful):
        """Whether a target was written to, and notes it."""
        if isinstance(target, ast.Name):
            _, place, now, _ = self.target(target, p.frame)
            was = old[2]
            if place is not None and not self.all and self.wanted[0] == "." and place.startswith(KINDS[:2]):
                return
        else:
            found = self.target(target, p.frame) if old is None else None
            if old is None and found is None:
                return
            _, place, was, key = old or found
            if old is None:
                was = MISSING
            now = self.again((old or found)[0], target, key)
            if was is MISSING and now is MISSING and isinstance(target, ast.Attribute):
                self.given_to(setter((old or found)[0], key))
        if place is None or was is MISSING and now is MISSING or doubtful and now is was:
            return
        if now is was and getattr(target, "doubtful", False):
            self.unsure = self.unsure or "%s:%d" % (os.path.basename(p.frame.f_code.co_filename), p.line)
            return
        if now is was and place in p.changed:  # where it lies
            return
        if self.elsewhere(p.frame.f_code, place) or not isinstance(target, ast.Name) and not self.wants(place):
            return
        if not isinstance(target, ast.Name):
            self.places.put((old or found)[0], key, now)
        if p.statement.risky and now is not MISSING and not isinstance(now, SIMPLE):
            self.called(p, now)
        self.wrote(p.frame, p.line, place, was, now, since=p.began)

    def given_to(self, name):
        """What a statement has assigned, a property has been given."""
        if name and not self.all and name not in self.setters:
            self.setters.add(name)
            self.notes.remark("%s is a property: what is assigned to it is given to its setter, and that is no row; calls of %s tell of it, and what the setter writes is asked about by its own name" % (self.text, name), "apart")

    def again(self, base, target, key):
        """What the place that was found before the statement holds now."""
        if isinstance(target, ast.Attribute):
            return attribute(base, key)[1]
        return element(base, key)

    def target(self, node, frame):
        if isinstance(node, ast.Name):
            place, value = self.places.variable(node.id, frame, isinstance(node.ctx, ast.Store))
            return frame, place, value, None
        return self.places.target(node, frame)

    def wrote(self, frame, line, place, was, now, unseen="", since=None):
        before = NOTHING if was is MISSING else self.notes.shown(was)
        number, shown = self.latest.get(place, (0, None))
        if since is not None and number > since:  # by what the statement itself called
            before = shown
        after = Look({"e": "deleted"}, None) if now is MISSING else self.look(now)
        if self.by_any_name:
            self.held_by.put(place, now)
        self.put(frame, line, place, before, after, unseen, MISSING if place.endswith("[*]") else now)

    def left_at(self, frame, value):
        """The line at which a call gives a value, where that is not the one at which it ends: what
        is around a return, as with, ends after it. Nothing else gives a value that is not None."""
        s = self.given.pop(id(frame), None)
        return None if s is None or s.returns != RETURNS or value is None or s.first <= frame.f_lineno <= s.last else s.first

    def ends(self, frame):
        """Says that no return has begun in a call that gives None: it came to its function's end."""
        return id(frame) not in self.given and frame.f_code.co_name != "<lambda>"

    def forget(self, frame):
        """A call has ended, and its variables are no more."""
        if self.quick is not None:
            self.quick.left(frame)
        if self.held_by.values:
            self.held_by.drop("frame%s.%s" % (self.recorder.numbers.get(id(frame)), self.wanted))

    def ended(self):
        """The program has ended: what has changed since the last statement that was seen to."""
        if self.by_any_name and self.wanted[0] == "[" and not self.met:
            at = "the run never came to %s:%d, or could not read %s there" % (self.file, self.line_of, self.text) if self.file else "no statement that ran names %s; a location at which it can be read says which object is meant" % self.text
            self.notes.remark("%s: what changes it by another name is not seen" % at)
        for place, value in list(self.held_by.values.items()):
            before, after = self.left.get(place), self.look(value)
            if before is None or not after.differs(before):
                if before is not None and after.shown != before.shown and self.inner is None:
                    self.inner = ""
            else:
                self.notes.put('"k":"write","at":"","f":"the end","o":%s,"v":%s,"m":"%s"%s' % (n.quote(place), n.encoded([before.shown, after.shown]), UNSEEN, self.numbered_last(place)))
        if self.unsure and not self.all:
            self.notes.remark("%s: what stands behind a condition in its line is told as a write only where the value became another" % self.unsure)
        if self.inner is not None:
            self.notes.remark("what lies in %s was changed, too%s: that is no write to %s itself, and is asked about by a name of its own" % (self.text, self.inner, self.text))

    def put(self, frame, line, place, before, after, unseen="", value=MISSING):
        if not self.all:
            self.left[place] = after
            for other in self.held_by.of(self.held_by.values.get(place)):
                if other.startswith(KINDS):  # variables of one name: a change of what lies in them is told once
                    self.left[other] = after
        if self.quick is not None:
            self.quick.tell()
        shown = after.shown
        after = dict(shown)
        if value is not MISSING:
            self.identify(after, value)
        hold(after, place)
        where = self.notes.where(frame)
        if line != frame.f_lineno:
            where = where.replace(':%d","f"' % frame.f_lineno, ':%d","f"' % line, 1)
        event = '"k":"write",%s,"c":%d,"o":%s,"v":%s,"s":%s%s' % (
            where, self.recorder.number(frame), n.quote(place), n.encoded([before, after]), n.json.dumps(n.callers(frame)), ',"m":"%s"' % unseen if unseen else "")
        with self.notes.lock:
            self.count += 1
            if len(self.latest) > 10_000:
                self.latest.clear()
            self.latest[place] = self.count, shown
            self.notes.put(event + self.numbered(place))

    def numbered(self, place):
        """What an event has besides where writes are numbered."""
        if not self.few:
            return ""
        number = self.number(place)
        if number is UNCOUNTED:
            return ',"g":%d' % self.count
        self.numbers[place] = number + 1
        return ',"h":%d,"g":%d' % (number + 1, self.count)

    def numbered_last(self, place):
        self.count += 1
        return self.numbered(place)

    def number(self, place):
        return self.numbers.get(place, 0 if len(self.numbers) < MOST_PLACES else UNCOUNTED)

    # What Quick tells.

    def told(self, place, number, count, shown):
        """What was written last to a place."""
        self.latest[place] = count, shown
        self.left.pop(place, None)
        if number is not UNCOUNTED:
            self.numbers[place] = number

    def takes(self, frame, statement, target, objects, began, raised):
        """A statement that has begun is ours."""
        p = self.pending[id(frame)] = Pending(frame, statement, [target], objects, (), False, began)
        p.line, p.raised = statement.first, raised

    def sighted(self, node, frame):
        """Before a value is looked at: what has changed unseen of it, and of the objects that
        it is reached through."""
        while node is not None:
            found = self.places.find(node, frame)
            if found is not None and found[1] is not MISSING and not isinstance(found[1], SIMPLE):
                self.unseen(found[1], frame)
            node = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None

    def valued(self, found):
        place, value = found
        shown = self.notes.shown(value)
        if place is not None:
            shown["o"] = place
            hold(shown, place)
        self.identify(shown, value)
        return shown

    def identify(self, shown, value):
        if not isinstance(value, SIMPLE):
            shown["i"] = self.places.identity(value)
