# Notes what statements write to, and what they read before, by looking at the frame
# when a statement begins and when it has run. Nothing of the program's is called for
# that: what only a call would tell is left out.
import ast
import collections
import os
import types

from . import notes as n

KEPT = 20000  # objects that are kept alive, so that no other takes their identity
MISSING = object()
MEMBER = types.MemberDescriptorType
CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)
OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
HASH = (int, str, bytes, bool, type(None), float, tuple)


class Statement:
    """One statement, or what of a compound one runs when its first line does."""

    def __init__(self, node):
        self.first = node.lineno
        body = getattr(node, "body", None)
        self.last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
        self.last = max(self.first, self.last)
        self.targets, self.reads, self.calls = [], [], False
        for field, value in ast.iter_fields(node):
            if field in ("body", "orelse", "finalbody", "handlers", "decorator_list", "cases"):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    self.look(part)
        if isinstance(node, ast.AugAssign):
            self.read(node.target)
        self.body = None  # of a loop: it has written to its target only when the body comes next
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self.body = (body[0].lineno, body[-1].end_lineno)

    def look(self, node):
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return
        store = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            if store:
                self.targets.append(node)
            elif pure(node):
                self.read(node)
                return
        if isinstance(node, ast.Call):
            self.calls = True
            if isinstance(node.func, ast.Attribute) and pure(node.func.value):
                self.targets.append(Inside(node.func.value))
        for child in ast.iter_child_nodes(node):
            if store and isinstance(node, ast.Attribute) and child is node.value and pure(child):
                continue
            self.look(child)

    def read(self, node):
        text = ast.unparse(node) if hasattr(ast, "unparse") else getattr(node, "id", "?")
        if all(text != t for t, _ in self.reads):
            self.reads.append((text, node))


class Inside:
    """What a container holds, for a method that may change it."""

    def __init__(self, base):
        self.base = base


def pure(node):
    """Says that a look at the frame tells its value."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Attribute):
        return pure(node.value)
    if isinstance(node, ast.Subscript):
        index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        return pure(node.value) and (isinstance(index, ast.Constant) or pure(index) or negative(index) is not None)
    return False


def negative(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value
    return None


class Writes:
    def __init__(self, recorder, wish):
        self.recorder, self.notes = recorder, recorder.notes
        self.all = wish.get("all")
        self.wanted = None if self.all else self.member(wish["expression"])

        self.files = {}  # real path: {first line: Statement}
        self.pending = {}  # id of a frame: (frame, statement, places and old values)
        self.kept = collections.deque(maxlen=KEPT)

    def member(self, expression):
        """The name that an expression ends in, as targets spell it: x, .x or []."""
        node = ast.parse(expression.strip(), mode="eval").body
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return "." + node.attr
        return "[]"

    def statements(self, path):
        found = self.files.get(path)
        if found is None:
            found = {}
            try:
                with open(path, "rb") as f:
                    tree = ast.parse(f.read())
            except (OSError, SyntaxError, ValueError):
                tree = ast.Module([], [])
            for node in ast.walk(tree):
                if isinstance(node, ast.stmt):
                    s = Statement(node)
                    if s.first in found:  # several on one line
                        s.targets, s.reads = found[s.first].targets + s.targets, found[s.first].reads + s.reads
                        s.last = max(s.last, found[s.first].last)
                    found[s.first] = s
            self.files[path] = found
        return found

    def lines(self, path):
        """The lines that matter, None where none does."""
        found = self.statements(path)
        if self.all:
            return frozenset(found) or None
        kept = frozenset(x for x, s in found.items() if any(self.asked(t) for t in s.targets))
        if not kept:
            return None
        return kept | frozenset(x for x in found)  # the next statement shows what one has done

    def asked(self, target):
        if self.all:
            return True
        if isinstance(target, Inside):
            return self.wanted == "[]"
        if isinstance(target, ast.Name):
            return target.id == self.wanted
        if isinstance(target, ast.Attribute):
            return "." + target.attr == self.wanted
        return self.wanted == "[]"

    def line(self, frame, line):
        before = self.pending.get(id(frame))
        if before is not None:
            s = before[1]
            if s.first < line <= s.last:
                return  # goes on in its further lines
            self.finish(frame, line)
        s = self.statements(self.recorder.path(frame.f_code)).get(line)
        if s is None:
            return
        if self.all and s.reads:
            seen = [(text, self.find(node, frame)) for text, node in s.reads]
            seen = [(text, f) for text, f in seen if f is not None and f[1] is not MISSING and not isinstance(f[1], CODE)]
            if seen:
                self.notes.write(self.recorder.event("use", frame, c=self.recorder.number(frame), a=[t for t, _ in seen], v=[self.valued(f) for _, f in seen]))
        places = [(t, self.target(t, frame)) for t in s.targets if self.asked(t)]
        if places:
            self.pending[id(frame)] = (frame, s, places, frame.f_lineno)

    def finish(self, frame, following=0):
        """The statement that has run until now: what it has written."""
        before = self.pending.pop(id(frame), None)
        if before is None:
            return
        _, s, places, line = before
        if s.body is not None and not s.body[0] <= following <= s.body[1]:
            return
        for target, old in places:
            now = self.target(target, frame)
            if isinstance(target, Inside):
                if old is None or old[2] is None or now is None or now[0] is not old[0] or now[2] == old[2]:
                    continue
            place = (old or now or (None, None))[1] if not isinstance(target, ast.Name) else (now or old or (None, None))[1]
            if place is None:
                continue
            was = old[2] if old else MISSING
            value = self.again(old, target, frame) if old and not isinstance(target, (ast.Name, Inside)) else now[2] if now else MISSING
            shown = [{} if was is MISSING else self.shown(was), {"e": "deleted"} if value is MISSING else self.valued((place, value))]
            shown[1].pop("o", None)
            event = self.recorder.event("write", frame, c=self.recorder.number(frame), o=place, v=shown, s=callers(frame))
            event["at"] = "%s:%d" % (frame.f_code.co_filename, line)
            self.notes.write(event)

    def again(self, old, target, frame):
        """What the place that was found before the statement holds now."""
        base = old[0]
        if isinstance(target, ast.Attribute):
            return attribute(base, target.attr)
        return element(base, old[3])

    # Places: (the object that holds it, its name for us, the value[, the key]).

    def target(self, node, frame):
        if isinstance(node, Inside):
            found = self.find(node.base, frame)
            if found is None or found[1] is MISSING or not isinstance(found[1], (list, dict, set, bytearray, collections.deque)):
                return None
            return found[1], self.identity(found[1]) + "[*]", tuple(found[1]) if len(found[1]) < 50 else len(found[1])
        if isinstance(node, ast.Name):
            place, value = self.variable(node.id, frame)
            return frame, place, value
        if isinstance(node, ast.Attribute):
            base = self.find(node.value, frame)
            if base is None or base[1] is MISSING:
                return None
            return base[1], self.identity(base[1]) + "." + node.attr, attribute(base[1], node.attr)
        base, key = self.find(node.value, frame), self.key(node.slice, frame)
        if base is None or base[1] is MISSING or key is MISSING:
            return None
        return base[1], "%s[%r]" % (self.identity(base[1]), key), element(base[1], key), key

    def find(self, node, frame):
        """(place, value) of an expression; None where only a call would tell."""
        if isinstance(node, ast.Name):
            return self.variable(node.id, frame)
        if isinstance(node, ast.Attribute):
            base = self.find(node.value, frame)
            if base is None or base[1] is MISSING:
                return None
            value = attribute(base[1], node.attr)
            return None if value is MISSING else (self.identity(base[1]) + "." + node.attr, value)
        if isinstance(node, ast.Subscript):
            base, key = self.find(node.value, frame), self.key(node.slice, frame)
            if base is None or base[1] is MISSING or key is MISSING:
                return None
            value = element(base[1], key)
            return None if value is MISSING else ("%s[%r]" % (self.identity(base[1]), key), value)
        return None

    def key(self, node, frame):
        if type(node).__name__ == "Index":
            node = node.value
        if isinstance(node, ast.Constant):
            return node.value
        if negative(node) is not None:
            return negative(node)
        found = self.find(node, frame) if pure(node) else None
        return found[1] if found is not None and isinstance(found[1], HASH) else MISSING

    def variable(self, name, frame):
        code = frame.f_code
        if name in code.co_freevars:
            return "captured.%s" % name, frame.f_locals.get(name, MISSING)
        if name in code.co_cellvars:
            return "captured.%s" % name, frame.f_locals.get(name, MISSING)
        if code.co_flags & 2 and (name in code.co_varnames):
            return "frame%d.%s" % (self.recorder.number(frame), name), frame.f_locals.get(name, MISSING)
        if not code.co_flags & 2 and name in frame.f_locals and frame.f_locals is not frame.f_globals:
            return "class%d.%s" % (self.recorder.number(frame), name), frame.f_locals[name]
        if name in frame.f_globals:
            return "global %s.%s" % (frame.f_globals.get("__name__"), name), frame.f_globals[name]
        return "global %s.%s" % (frame.f_globals.get("__name__"), name), MISSING

    def identity(self, value):
        self.kept.append(value)
        return "%x" % id(value)

    def shown(self, value):
        return self.notes.shown(value)

    def valued(self, found):
        shown = self.notes.shown(found[1])
        shown["o"] = found[0]
        if holder(found[0]):
            shown["h"] = holder(found[0])
        if not isinstance(found[1], (int, float, str, bytes, bool, type(None))):
            shown["i"] = "%x" % id(found[1])
        return shown


def holder(place):
    """The identity of the object that a place lies in, as identity wrote it."""
    for sign in ".[":
        base = place.split(sign, 1)[0]
        if base != place and not base.startswith(("frame", "class", "global", "captured")):
            return base
    return ""


def callers(frame):
    """Who called, the nearest three."""
    stack = []
    while frame.f_back is not None and len(stack) < 3:
        frame = frame.f_back
        if frame.f_code.co_filename.startswith(OURS):
            break
        stack.append("%s %s" % (n.function(frame), n.at(frame)))
    return stack


def attribute(base, name):
    """The attribute that an object itself holds, or its class; never a property's."""
    try:
        own = object.__getattribute__(base, "__dict__")
        if type(own) is dict and name in own:
            return own[name]
    except AttributeError:
        pass
    for kind in type(base).__mro__:
        held = kind.__dict__.get(name, MISSING)
        if held is MISSING:
            continue
        if type(held) is MEMBER:
            try:
                return held.__get__(base)
            except AttributeError:
                return MISSING
        return MISSING if hasattr(type(held), "__get__") else held
    if isinstance(base, (type, types.ModuleType)):
        for kind in getattr(base, "__mro__", [base]):
            if name in kind.__dict__:
                return kind.__dict__[name]
    return MISSING


def element(base, key):
    try:
        if isinstance(base, dict) and type(base).__getitem__ is dict.__getitem__:
            return dict.get(base, key, MISSING)
        if isinstance(base, (list, tuple)) and isinstance(key, int) and -len(base) <= key < len(base):
            return base[key] if type(base) in (list, tuple) else MISSING
    except Exception:
        pass
    return MISSING
