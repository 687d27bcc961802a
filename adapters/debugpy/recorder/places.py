# Which place in memory an expression names, what is there, and what objects held when
# they were last looked at. No code of the program's is run for that.
import collections
import gc
import inspect
import sys
import types
import weakref

from .attributes import MEMBER, Attributes, attributes
from .private import class_of, mangle, mangled
from .statements import ast, index, negative, pure

MISSING = object()
HASH = (int, str, bytes, bool, type(None), float, tuple)
SIMPLE = (int, float, complex, str, bytes, bool, type(None))
CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)
SEQUENCES = (bytearray, collections.deque)
KEPT = 20000  # objects that are kept alive, so that no other takes their identity
MOST = 4096  # elements of an object whose changes are found
SHOWING = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)
WRAPPING = (collections.UserDict, collections.UserList)
ARRAY = ("ndarray", "array")
QUALNAME = type.__dict__["__qualname__"]
HEAP = 1 << 9  # flag of a class that a program has made


class Places:
    def __init__(self, number):
        self.number = number  # of a frame
        self.known = {}  # id: [object, its name for us, what it held]
        self.named = 0
        self.bodies = {}  # number of the frame of a class's body: our name for the class
        self.made = {}  # (module, qualified name): the same of a class that was not looked at yet; None of several

    # Objects.

    def entry(self, value):
        found = self.known.get(id(value))
        if found is None:
            found = self.known[id(value)] = [self.kept(value), self.name(value), held(value)]
            if len(self.known) > KEPT:
                del self.known[next(iter(self.known))]
        return found

    def name(self, value):
        """A name of ours for an object, that of its body for a class."""
        key = self.made and isinstance(value, type) and (vars(value).get("__module__"), QUALNAME.__get__(value))
        if key and self.made.get(key):
            return self.made.pop(key)
        self.named += 1
        return "o%d" % self.named

    def body(self, frame):
        """The name of the class whose body runs, whose object is made behind it."""
        number = self.number(frame)
        if number not in self.bodies:
            self.named += 1
            self.bodies[number] = "o%d" % self.named
            key = frame.f_locals.get("__module__"), frame.f_locals.get("__qualname__")
            self.made[key] = None if key in self.made else self.bodies[number]
        return self.bodies[number]

    def forget(self):
        """What objects hold is as it is when they are looked at next."""
        for entry in list(self.known.values()):
            entry[2] = None

    def kept(self, value):
        """What keeps the object alive; one that holds the memory of another must not be."""
        if type(value) is not memoryview:
            return value
        key = id(value)
        return weakref.ref(value, lambda _: self.known.pop(key, None))

    def identity(self, value):
        return self.entry(behind(value))[1]

    def changed(self, value):
        """What of an object is not as it was when it was last looked at: [(place, was,
        now)]. It is as it is now from then on."""
        value = behind(value)
        entry = self.known.get(id(value))
        if entry is None:
            self.entry(value)
            return ()
        now = held(value)
        was, entry[2] = entry[2], now
        if was is None or now is None:
            return ()
        return differences(owner(value, entry[1]), was, now)

    def put(self, value, key, now):
        """A member was written to, and that is known."""
        value = behind(value)
        entry = self.known.get(id(value))
        if entry is None or entry[2] is None:
            return
        if not isinstance(entry[2], dict) or isinstance(entry[2], Ordered):
            entry[2] = held(value)
        elif now is MISSING:
            entry[2].pop(key, None)
        else:
            entry[2][key] = now

    # Expressions: (place, value), None where only a call would tell.

    def find(self, node, frame):
        if isinstance(node, ast.Name):
            return self.variable(node.id, frame)
        target = self.target(node, frame) if isinstance(node, (ast.Attribute, ast.Subscript)) else None
        if target is None or target[2] is MISSING:
            return None
        return target[1], target[2]

    def target(self, node, frame):
        """(the object that holds it, its place, the value, the key) of a member."""
        base = self.find(node.value, frame)
        if base is None or base[1] is MISSING:
            return None
        base = base[1]
        if isinstance(node, ast.Attribute):
            name = mangle(node.attr, class_of(frame.f_code)) if mangled(node.attr) else node.attr
            holder, value = attribute(base, name)
            if isinstance(node.ctx, (ast.Store, ast.Del)):  # it is written to the object itself
                holder = base
            place = owner(holder, self.identity(holder)) + "." + name if holder is not None else None
            return holder, place, value, name
        key = self.key(index(node), frame)
        if key is MISSING:
            return None
        if isinstance(key, int) and key < 0 and isinstance(base, (list, tuple)):
            key += len(base)
        return base, element_place(base, self.identity(base), key), element(base, key), key

    def key(self, node, frame):
        if isinstance(node, ast.Constant):
            return node.value
        if negative(node) is not None:
            return negative(node)
        if isinstance(node, ast.Tuple):
            keys = tuple(self.key(e, frame) for e in node.elts)
            return MISSING if MISSING in keys else keys
        found = self.find(node, frame) if pure(node) else None
        return found[1] if found is not None and type(found[1]) in HASH else MISSING

    def variable(self, name, frame, stores=False):
        code, scope = frame.f_code, frame.f_locals
        if name in code.co_freevars or name in code.co_cellvars:
            place = cell(frame, name)
            return "captured%s.%s" % (place, name) if place else None, scope.get(name, MISSING)
        if code.co_flags & 2 and name in code.co_varnames:
            return "frame%d.%s" % (self.number(frame), name), scope.get(name, MISSING)
        if is_body(code) and scope is not frame.f_globals:
            own = mangle(name, class_of(code)) if mangled(name) else name
            if own in scope or stores:
                return "%s.%s" % (self.body(frame), own), scope.get(own, MISSING)
        return "global %s.%s" % (frame.f_globals.get("__name__"), name), frame.f_globals.get(name, MISSING)


def is_body(code):
    """Says that it is what a class's body runs."""
    return not code.co_flags & inspect.CO_NEWLOCALS and code.co_name != "<module>"


def owner(value, name):
    """How places begin that lie in an object: those of a module are its globals."""
    return "global %s" % value.__name__ if type(value) is types.ModuleType else name


def element_place(base, name, key):
    return "%s[%r]" % (name, key)


def behind(value):
    """The object that holds all of what another only shows: who reads or changes the one
    does so with the other. Else the object itself."""
    try:
        if isinstance(value, WRAPPING):
            return wrapped(value)
        if type(value) in SHOWING:
            found = gc.get_referents(value)
            return found[0] if len(found) == 1 and isinstance(found[0], dict) else value
        if type(value) is memoryview and (type(value.obj) is bytearray or type(value.obj).__name__ == "array"):
            whole = memoryview(value.obj)  # as it is held already, it cannot grow anyway
            return value.obj if (value.nbytes, value.format, value.ndim, value.contiguous) == (whole.nbytes, whole.format, 1, True) and forwards(value) else value
    except ValueError:  # it was released
        pass
    return value


def wrapped(value):
    """What a UserDict or a UserList holds all of its own in."""
    own = object.__getattribute__(value, "__dict__")
    plain = any(isinstance(value, kind) and type(value).__getitem__ is kind.__getitem__ for kind in WRAPPING)
    return own["data"] if plain and list(own) == ["data"] and type(own["data"]) in (dict, list) else value


def forwards(view):
    return view.strides == (view.itemsize,)


def held(value):
    """What an object holds, for a later look: a dict of attributes or entries, a list,
    or for what is looked at as a whole a tuple; None where it is too much."""
    kind = type(value)
    if kind in SIMPLE:
        return None
    if isinstance(value, CODE):
        return Attributes(vars(value)) if isinstance(value, type) and value.__flags__ & HEAP else None
    try:
        if isinstance(value, collections.OrderedDict) and kind.__getitem__ is dict.__getitem__ and kind.__iter__ is collections.OrderedDict.__iter__:
            return Ordered(value) if len(value) <= MOST else None
        if isinstance(value, dict):
            return dict.copy(value) if dict.__len__(value) <= MOST and kind.__getitem__ is dict.__getitem__ else None
        if isinstance(value, list):
            return list.copy(value) if list.__len__(value) <= MOST else None
        if kind is set:
            return Whole(value, set(value)) if len(value) <= MOST else None
        if kind in SEQUENCES or kind.__name__ == kind.__module__ == "array":
            return list(value) if len(value) <= MOST else None
        if kind.__name__ == "ndarray":
            return Whole((value.tobytes(),), value.copy()) if value.nbytes <= 8 * MOST else None
        if isinstance(value, (tuple, frozenset)):
            return None
        return attributes(value)
    except Exception:
        return None


COMPARED = (int, float, bytes, str, bool)


class Ordered(dict):
    """What an OrderedDict holds, and in which order it goes through that."""

    def __init__(self, value):
        dict.update(self, dict.copy(value))  # hashes nothing anew
        self.order = list(collections.OrderedDict.__iter__(value))


class Whole(tuple):
    """What is compared of an object that is looked at as a whole, and a copy to show."""

    def __new__(cls, parts, copy):
        self = tuple.__new__(cls, parts)
        self.copy = copy
        return self


def differences(name, was, now):
    if isinstance(was, tuple):
        return () if len(was) == len(now) and all(map(same, was, now)) else parts(name, was.copy, now.copy)
    if isinstance(was, list):
        if len(was) == len(now) and all(map(same, was, now)):
            return ()
        return [("%s[%d]" % (name, i), was[i] if i < len(was) else MISSING, now[i] if i < len(now) else MISSING)
                for i in range(max(len(was), len(now))) if i >= len(was) or i >= len(now) or not same(was[i], now[i])]
    if len(was) == len(now) and all(map(same, was, now)) and all(map(same, was.values(), now.values())):
        return moved(name, was, now)
    form = "%s.%s" if isinstance(now, Attributes) else "%s[%r]"
    found = [(form % (name, k), was.get(k, MISSING), now.get(k, MISSING)) for k in list(was) + [k for k in now if k not in was]
             if was.get(k, MISSING) is not now.get(k, MISSING)]
    return found or moved(name, was, now)


def moved(name, was, now):
    """The same entries in another order: a change of an OrderedDict, and of no other."""
    if not isinstance(now, Ordered) or not isinstance(was, Ordered) or all(map(same, was.order, now.order)):
        return ()
    return [(name + "[*]", was.order, now.order)]


def same(a, b):
    return a is b or type(a) is type(b) and type(a) in COMPARED and (a == b or a != a and b != b)


def parts(name, was, now):
    """Which elements of an array differ; of what has none that are named, the whole."""
    if type(was).__name__ == "ndarray" and was.shape == now.shape and was.dtype == now.dtype and was.dtype.kind in "biufc" and was.ndim:
        found = []
        for key in zip(*(axis.tolist() for axis in ((was != now) & ((was == was) | (now == now))).nonzero())):
            found.append(("%s[%r]" % (name, key if len(key) > 1 else key[0]), was[key], now[key]))
        return found
    return [(name + "[*]", was, now)]


def attribute(base, name):
    """What holds the attribute, the object itself, its class, or None for what only C code
    can tell, and what is there; never a property's value."""
    if isinstance(base, type):
        for kind in base.__mro__:
            if name in kind.__dict__:
                value = kind.__dict__[name]
                return kind, MISSING if hasattr(type(value), "__get__") and not isinstance(value, (type, types.FunctionType)) else value
        return base, MISSING
    try:
        own = object.__getattribute__(base, "__dict__")
        if type(own) is dict and name in own:
            return base, own[name]
    except Exception:
        pass
    for kind in type(base).__mro__:
        value = kind.__dict__.get(name, MISSING)
        if value is MISSING:
            continue
        if type(value) is MEMBER:
            try:
                return base, value.__get__(base)
            except AttributeError:
                return base, MISSING
        if type(value) is types.GetSetDescriptorType:
            return None, getset(value, base)
        return (base, MISSING) if hasattr(type(value), "__get__") else (kind, value)
    return base, MISSING


def setter(base, name):
    """The property to which is given what is assigned to an attribute of an object, by its name;
    empty where it is none."""
    for kind in type(base).__mro__:
        found = kind.__dict__.get(name)
        if found is not None:
            by_code = hasattr(type(found), "__set__") and type(found) not in (MEMBER, types.GetSetDescriptorType)
            return "%s.%s" % (kind.__qualname__, name) if by_code else ""
    return ""


def getset(descriptor, base):
    try:
        return descriptor.__get__(base)
    except Exception:
        return MISSING


def element(base, key):
    try:
        base = wrapped(base) if isinstance(base, WRAPPING) else base
        kind = type(base)
        if isinstance(base, dict) and kind.__getitem__ is dict.__getitem__:
            return dict.get(base, key, MISSING)
        if kind in (list, tuple, collections.deque, bytearray, bytes, str, range, memoryview):
            return base[key] if isinstance(key, int) and -len(base) <= key < len(base) else MISSING
        if kind.__name__ in ARRAY and kind.__module__ in ("numpy", "array"):
            return base[key]
    except Exception:
        pass
    return MISSING


# Which cell of memory a variable that a closure captures lives in. Python has no way to
# ask for it: up to 3.10 the garbage collector tells, after it lies beside the locals.

LOCALS = 72  # bytes before them in a frame of 3.11 to 3.13


def cell(frame, name):
    """The identity of a cell, empty where it cannot be told."""
    try:
        return CELLS(frame, name)
    except Exception:
        return ""


def collected(frame, name):
    code = frame.f_code
    cells = [c for c in gc.get_referents(frame) if type(c) is types.CellType]
    names = code.co_cellvars + code.co_freevars
    return "%x" % id(cells[names.index(name)]) if len(cells) == len(names) else ""


def beside(frame, name):
    import ctypes

    code = frame.f_code
    names = list(code.co_varnames) + [n for n in code.co_cellvars if n not in code.co_varnames] + list(code.co_freevars)
    inner = ctypes.c_void_p.from_address(id(frame) + 24).value
    found = ctypes.c_void_p.from_address(inner + LOCALS + 8 * names.index(name)).value
    if not found or ctypes.c_void_p.from_address(found + 8).value != id(types.CellType):
        return ""
    return "%x" % found


def untold(frame, name):
    return ""


def works(way):
    """Tries a way on a closure of which the cells are known."""
    kept = 1

    def inner(first):
        return kept and way(sys._getframe(), "kept"), first

    try:
        return inner(0)[0] == "%x" % id(inner.__closure__[inner.__code__.co_freevars.index("kept")])
    except Exception:
        return False


if sys.implementation.name != "cpython" or sys.version_info >= (3, 14):
    CELLS = untold
elif sys.version_info >= (3, 11):
    CELLS = beside if works(beside) else untold
else:
    CELLS = collected if works(collected) else untold
