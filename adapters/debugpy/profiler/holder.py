# The way from a root to an object: who refers to it, and to that, until something is found
# that nothing has to hold: a module's variable, a variable of a function that runs. It is
# searched from the object outwards, all referrers of a level at once, so that the way is a
# shortest one.
import gc
import sys
import types

from . import stacks

DEEPEST = 14
WIDEST = 3000  # objects of a level
UNTRACKED = (dict, tuple)  # may hold something without the collector's knowing it
POINTLESS = (type(None), int, float, types.FrameType, types.CodeType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


class Way:
    def __init__(self, root="", lines=(), why=""):
        self.root, self.lines, self.why = root, list(lines), why

    def pattern(self):
        """What ways have in common that lead through other entries of the same things."""
        return (self.root,) + tuple("[" if line.startswith("[") else line.partition("  ")[0] for line in self.lines)


def way(target, ours):
    roots = Roots()
    parents = {}  # by the identity of what refers to an object, that object
    level, seen = [target], {id(target)}
    frame_ids = {id(frame) for frame in sys._current_frames().values()}
    ours |= {id(ours), id(parents), id(level), id(seen), id(roots), id(vars(roots)), id(roots.modules), id(roots.locals), id(roots.keep), id(frame_ids)}
    for _ in range(DEEPEST):
        for o in level:
            named = roots.of(o)
            if named:
                return Way(named, path(o, target, parents), "")
        wanted = {id(o): o for o in level}
        ours.update((id(wanted), id(level)))
        further = []
        for referrer in gc.get_referrers(*level):
            i = id(referrer)
            if i in seen or i in ours or isinstance(referrer, types.FrameType) or is_ours(referrer):
                continue
            for o in gc.get_referents(referrer):
                if id(o) in wanted:
                    seen.add(i)
                    parents[i] = o
                    further.append(referrer)
                    break
            if len(further) == WIDEST:
                break
        for referrer, o in untracked(wanted) if not further else ():
            if id(referrer) not in seen:
                seen.add(id(referrer))
                parents[id(referrer)] = o
                further.append(referrer)
        del wanted
        ours.add(id(further))
        if not further:
            last = level[0]
            return Way("", path(last, target, parents), "what holds it is not a variable of Python's that can be found: code in C, or a thread's own variables")
        level = further
    return Way("", path(level[0], target, parents), "the way is longer than %d steps" % DEEPEST)


def untracked(wanted):
    """What holds objects and is not among what the collector knows: it holds nothing else that
    could hold anything. (It does not know that it is held by what it knows, but that does.)"""
    objects = gc.get_objects()
    for first in range(0, len(objects), 500):
        for inner in gc.get_referents(*objects[first : first + 500]):
            if type(inner) in UNTRACKED and not gc.is_tracked(inner):
                for held in gc.get_referents(inner):
                    if id(held) in wanted:
                        yield inner, held
                        break


def is_ours(o):
    """What belongs to the profiler itself."""
    return isinstance(o, (types.FunctionType, types.GeneratorType)) and getattr(o, "__code__", None) is not None and o.__code__.co_filename.startswith(stacks.HERE)


class Roots:
    def __init__(self):
        self.modules, self.locals, self.keep = {}, {}, []
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType):
                self.modules.setdefault(id(module.__dict__), name)
        for frame in list(sys._current_frames().values()):
            while frame is not None:
                code = frame.f_code
                if not code.co_filename.startswith(stacks.HERE) and code.co_name != "<module>":
                    try:
                        for name, value in frame.f_locals.items():
                            if not isinstance(value, types.ModuleType):
                                self.locals.setdefault(id(value), "%s in %s" % (name, getattr(code, "co_qualname", code.co_name)))
                    except Exception:
                        pass
                frame = frame.f_back

    def of(self, o):
        """How a root is called; empty: it is none."""
        i = id(o)
        if i in self.modules:
            return "module " + self.modules[i]
        if i in self.locals:
            return "variable " + self.locals[i]
        return ""


def path(top, target, parents):
    """The steps from the outermost object to the one that is held, a text each."""
    chain, o = [top], top
    while o is not target:
        o = parents[id(o)]
        chain.append(o)
    steps = []
    for n in range(len(chain) - 1):
        steps.append((edge(chain[n], chain[n + 1]), chain[n + 1]))
    lines = []
    for n, (name, o) in enumerate(steps):
        if type(o) is dict and n + 1 < len(steps) and is_attributes(chain[n], o):
            continue  # an object's attributes are named in the next step
        lines.append("%s  (%s)" % (name, describe(o)))
    return lines or ["(%s)" % describe(target)]


def is_attributes(owner, d):
    return not isinstance(owner, (dict, list, tuple, set, frozenset)) and attributes(owner) is d


def attributes(o):
    try:
        return object.__getattribute__(o, "__dict__")
    except Exception:
        return None


MOST_SEARCHED = 200000


def edge(holder, held):
    """By what one object refers to the other."""
    if type(holder) is dict or isinstance(holder, dict):
        for n, (key, value) in enumerate(dict.items(holder)):
            if value is held:
                return "." + key if isinstance(key, str) and key.isidentifier() else "[%s]" % short(key)
            if key is held:
                return "a key"
            if n > MOST_SEARCHED:
                break
        return "[…]"
    if isinstance(holder, (list, tuple)):
        for n, value in enumerate(holder):
            if value is held:
                return "[%d]" % n
            if n > MOST_SEARCHED:
                break
        return "[…]"
    if isinstance(holder, (set, frozenset)):
        return "an element"
    if isinstance(holder, types.FunctionType):
        return "closure" if held is holder.__closure__ else "defaults" if held in (holder.__defaults__, holder.__kwdefaults__) else "of function"
    if isinstance(holder, types.CellType):
        return "closed over"
    if isinstance(holder, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
        frame = next((f for f in (getattr(holder, name, None) for name in ("gi_frame", "cr_frame", "ag_frame")) if f is not None), None)
        for name, value in (frame.f_locals.items() if frame is not None else ()):
            if value is held:
                return "variable " + name
        return "of its frame"
    have = attributes(holder)
    if have is held:
        return "attributes"
    for name, value in (dict.items(have) if type(have) is dict else ()):
        if value is held:
            return "." + name
    return "refers to"


def describe(o):
    kind = type(o)
    name = kind.__qualname__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)
    for sized in (dict, list, tuple, set, frozenset, str, bytes, bytearray):
        if isinstance(o, sized):
            return "%s of %s" % (name, format(sized.__len__(o), ","))
    if isinstance(o, (types.FunctionType, types.GeneratorType, types.CoroutineType)):
        return "%s %s" % (name, o.__qualname__)
    return name


def short(key):
    """A key as text, where that runs nothing of the program's."""
    if type(key) in (str, bytes, int, float, bool, tuple) and (type(key) is not tuple or all(type(k) in (str, int) for k in key)):
        text = repr(key)
        return text if len(text) <= 60 else text[:57] + "…"
    return type(key).__name__
