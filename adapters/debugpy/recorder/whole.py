# A hash of all of a value, for values whose text leaves something out: two values that
# are equal have equal hashes, in this run and in others. Types count, and the order of
# dicts; that of sets does not, nor do addresses. No code of the program's is run.
import re
import types

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

from .attributes import attributes

MOST = 1 << 20  # bytes of one value that are looked at: recording.WholeSize
BUDGET = 24 << 20  # bytes of all values of a run, so that it is not slowed without end
DEEPEST = 200
ATOMS = (int, float, complex, bool, type(None))
NAMED = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
SPOKEN = ("datetime", "decimal", "fractions", "uuid", "ipaddress", "zoneinfo", "pathlib", "re", "_thread", "_io", "array")  # modules whose objects say all of themselves
BUILTIN = ("slice", "ellipsis", "NotImplementedType", "method_descriptor", "wrapper_descriptor", "getset_descriptor", "member_descriptor", "classmethod_descriptor")
STRUCTURE = 32  # bytes that each value with parts counts for
HEAP = 1 << 9  # flag of a class that a program has made
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


class Unknown(Exception):
    """There is more of a value than can be looked at."""


class Hasher:
    def __init__(self):
        self.left = BUDGET

    def of(self, value):
        """The hash of a value, empty where it is not known."""
        self.room = min(MOST, self.left)
        self.open = []  # ids of what is being looked at
        before = self.room
        try:
            return self.sum("", (self.digest(value),)).hex()
        except Exception:  # also of what another thread changes meanwhile
            return ""
        finally:
            self.left -= before - max(self.room, 0)

    def sum(self, kind, parts):
        h = blake2b(kind.encode("utf-8", "backslashreplace"), digest_size=8)
        self.spend(STRUCTURE)
        for part in parts:
            h.update(b"%d:" % len(part))
            h.update(part)
            self.spend(len(part))
        return h.digest()

    def spend(self, size):
        self.room -= size
        if self.room < 0:
            raise Unknown()

    def digest(self, value):
        kind = type(value)
        if kind in ATOMS:
            return kind.__name__.encode() + b" " + atom(value)
        if kind is str:
            return b"str " + self.bounded(value).encode("utf-8", "backslashreplace")
        if kind is bytes or kind is bytearray:
            return kind.__name__.encode() + b" " + bytes(self.bounded(value))
        if id(value) in self.open:  # it holds itself
            return b"again %d" % (len(self.open) - self.open.index(id(value)))
        if len(self.open) > DEEPEST:
            raise Unknown()
        self.open.append(id(value))
        try:
            return self.sum("%s.%s" % (kind.__module__, kind.__qualname__), self.parts(value, kind))
        finally:
            self.open.pop()

    def bounded(self, text):
        if len(text) > self.room:
            raise Unknown()
        return text

    def parts(self, value, kind):
        if issubclass(kind, NAMED):
            return (("%s.%s" % (getattr(value, "__module__", ""), getattr(value, "__qualname__", getattr(value, "__name__", "")))).encode("utf-8", "backslashreplace"),)
        if issubclass(kind, types.MethodType):
            return (self.digest(value.__func__), self.digest(value.__self__))
        if kind is range:
            return (b"%d,%d,%d" % (value.start, value.stop, value.step),)
        if kind.__module__.split(".")[0] in SPOKEN or kind.__module__ == "builtins" and kind.__name__ in BUILTIN:
            return (self.spoken(value),)
        return self.contents(value, kind)

    def contents(self, value, kind):
        """What a value is made of."""
        known = all(base is object or base.__flags__ & HEAP for base in kind.__mro__)
        for reader in (self.contained, self.array):
            found = reader(value, kind)
            if found is not None:
                known = True
                yield from found
        if not known:  # there is something in it that only C code knows
            raise Unknown()
        yield from self.held(value)

    def contained(self, value, kind):
        """What a container holds; None for what is none."""
        if issubclass(kind, dict):
            return [self.sum("", (self.digest(k), self.digest(v))) for k, v in list(dict.items(value))]
        if issubclass(kind, (set, frozenset)):
            return sorted([self.digest(x) for x in (set if issubclass(kind, set) else frozenset).__iter__(value)])
        if issubclass(kind, (list, tuple)):
            return (self.digest(x) for x in (list if issubclass(kind, list) else tuple).__iter__(value))
        if issubclass(kind, str):
            return (self.bounded(str.__str__(value)).encode("utf-8", "backslashreplace"),)
        if issubclass(kind, bytes):
            return (bytes.__add__(self.bounded(value), b""),)
        for atoms in (int, float, complex):
            if issubclass(kind, atoms):
                return (atom(atoms.__pos__(value)),)
        if kind.__name__ == "deque" and kind.__module__ == "collections":
            return [self.digest(x) for x in value]
        if issubclass(kind, BaseException):
            return (self.digest(BaseException.args.__get__(value)),)
        return None

    def held(self, value):
        """What the attributes of an object hold."""
        found = attributes(value)
        return (self.sum(str(name), (self.digest(found[name]),)) for name in sorted(found, key=str))

    def array(self, value, kind):
        """The numbers of an array."""
        if kind.__name__ != "ndarray" or kind.__module__ != "numpy":
            return None
        if value.dtype.hasobject or value.nbytes > self.room:
            raise Unknown()
        return (repr(value.dtype).encode(), repr(value.shape).encode(), value.tobytes())

    def spoken(self, value):
        return ADDRESS.sub("", self.bounded(repr(value))).encode("utf-8", "backslashreplace")


def atom(value):
    try:
        return repr(value).encode()
    except ValueError:  # an int of more digits than may be written
        return hex(value).encode()
