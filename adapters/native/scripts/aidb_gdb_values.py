"""How gdb's adapter shows values: containers and records with what is in them,
long ones by the page, and what was never initialized as that, instead of
failing for all variables beside it."""

import itertools
import re

import gdb
import gdb.printing

TEXT = 2000  # bytes of a text
ITEMS = 12  # elements of a container in its one line
LINE = 160  # characters of a container's line
MOST = 5000  # elements that are counted where the number is not known
GARBAGE = 1 << 40

UNSET = "<not initialized>"
COUNTED = re.compile(r"of length (\d+)|with (\d+) elements?|with (\d+) bits")

original = gdb.printing.make_visualizer


def quoted(data, more=0):
    text = data.decode("utf-8", "backslashreplace" if not more else "ignore")
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
    shown = "".join(known.get(c) or ("\\x%02x" % ord(c) if ord(c) < 32 else c) for c in text)
    return '"' + shown + '"' + ("...+%d more" % more if more else "")


def characters(at, length):
    if length > GARBAGE:
        return UNSET
    try:
        data = bytes(gdb.selected_inferior().read_memory(at, min(length, TEXT))) if length else b""
    except gdb.MemoryError:
        return UNSET
    return quoted(data, max(length - TEXT, 0))


def brief(value, depth=0):
    """A value within the line of another."""
    try:
        kind = value.type.strip_typedefs()
        if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY):
            return "{...}" if depth > 2 else visualizer(value, depth).to_string()
        return value.format_string(max_elements=ITEMS)
    except (gdb.error, gdb.MemoryError, RuntimeError) as wrong:
        return "<%s>" % wrong


def joined(parts, count):
    shown, used = [], 0
    for part in parts:
        used += len(part) + 2
        if shown and used > LINE:
            break
        shown.append(part)
    rest = "" if len(shown) == count else ", ..." if shown else "..."
    return "{%s%s}" % (", ".join(shown), rest)


class Text(gdb.ValuePrinter):
    def __init__(self, at, length):
        self.__text = characters(at, length)

    def to_string(self):
        return self.__text


class Vector(gdb.ValuePrinter):
    """std::vector, read where it is asked for."""

    def __init__(self, value, depth):
        inner = value["_M_impl"]
        self.__begin, end, room = inner["_M_start"], inner["_M_finish"], inner["_M_end_of_storage"]
        self.__count, self.__depth = int(end - self.__begin), depth
        if not int(self.__begin) <= int(end) <= int(room) or self.__count > GARBAGE:
            raise ValueError(UNSET)

    def to_string(self):
        parts = (brief((self.__begin + i).dereference(), self.__depth + 1) for i in range(min(self.__count, ITEMS)))
        return "size=%d %s" % (self.__count, joined(parts, self.__count))

    def display_hint(self):
        return "array"

    def num_children(self):
        return self.__count

    def child(self, i):
        return "[%d]" % i, (self.__begin + i).dereference()

    def children(self):
        return (self.child(i) for i in range(self.__count))


class Guard(gdb.ValuePrinter):
    """Another printer, kept from failing and from reading all."""

    def __init__(self, printer, value, depth):
        self.__printer, self.__value, self.__depth = printer, value, depth
        self.__found = None

    def hint(self):
        return self.__printer.display_hint() if hasattr(self.__printer, "display_hint") else None

    def display_hint(self):
        return "array" if self.hint() == "map" else self.hint()

    def found(self):
        if self.__found is None:
            try:
                self.__found = list(itertools.islice(self.__printer.children(), 2 * MOST)) if hasattr(self.__printer, "children") else []
            except (gdb.error, gdb.MemoryError, RuntimeError, ValueError, OverflowError):
                self.__found = []
            if self.hint() == "map":
                keys, held = self.__found[::2], self.__found[1::2]
                self.__found = [("[%s]" % brief(as_value(k[1])), v[1]) for k, v in zip(keys, held)]
        return self.__found

    def num_children(self):
        return len(self.found())

    def child(self, i):
        return self.found()[i]

    def children(self):
        return iter(self.found())

    def to_string(self):
        try:
            text = self.__printer.to_string()
            text = "" if text is None else text if isinstance(text, str) else text.value().format_string() if hasattr(text, "value") else str(text)
        except (gdb.error, gdb.MemoryError, RuntimeError, ValueError, OverflowError):
            return UNSET
        counted = COUNTED.search(text)
        if not counted and text and self.hint() != "map":
            return text if self.__depth or not self.found() or "::" not in text and " " not in text else self.short(text)
        found, size = self.found(), ""
        if counted:
            count = int(next(filter(None, counted.groups())))
            if count > GARBAGE or count and not found:
                return UNSET
            size = "size=%d " % count
        return size + self.line(counted, int(count) if counted else len(found))

    def short(self, text):
        found = self.found()
        return brief(as_value(found[0][1]), self.__depth + 1) if len(found) == 1 else self.line(True, len(found))

    def line(self, plain, count):
        def part(name, value):
            shown = brief(as_value(value), self.__depth + 1)
            if self.hint() == "map":
                return "%s: %s" % (name[1:-1], shown)
            return shown if plain or name.startswith("[") else "%s:%s" % (name, shown)

        return joined((part(*c) for c in self.found()[:ITEMS]), count)


def as_value(value):
    return value if isinstance(value, gdb.Value) else gdb.Value(value)


STRING = re.compile(r"^std::(__cxx11::)?basic_string<char, ")
VIEW = re.compile(r"^std::basic_string_view<char, ")
VECTOR = re.compile(r"^std::vector<(?!bool)")


def visualizer(value, depth=0):
    kind = value.type.strip_typedefs()
    name = kind.name or ""
    try:
        if STRING.match(name):
            return Text(int(value["_M_dataplus"]["_M_p"]), int(value["_M_string_length"]))
        if VIEW.match(name):
            return Text(int(value["_M_str"]), int(value["_M_len"]))
        if VECTOR.match(name):
            return Vector(value, depth)
    except ValueError:
        return Unset()
    except (gdb.error, gdb.MemoryError):
        pass
    printer = original(value)
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and hasattr(printer, "children"):
        return Guard(printer, value, depth)
    if kind.code == gdb.TYPE_CODE_ARRAY and not value.is_optimized_out:
        return printer if depth == 0 and not hasattr(printer, "children") else Listed(printer, value, depth)
    return printer


class Unset(gdb.ValuePrinter):
    def to_string(self):
        return UNSET


class Listed(gdb.ValuePrinter):
    """An array, with its first elements in its line."""

    def __init__(self, printer, value, depth):
        self.__value, self.__depth = value, depth
        low, high = value.type.strip_typedefs().range()
        self.__low, self.__count = low, high - low + 1
        self.__text = None
        target = value.type.strip_typedefs().target().strip_typedefs()
        if target.code == gdb.TYPE_CODE_INT and target.sizeof == 1:
            self.__text = value.format_string(max_elements=200)

    def to_string(self):
        if self.__text is not None:
            return self.__text
        parts = (brief(self.__value[self.__low + i], self.__depth + 1) for i in range(min(self.__count, ITEMS)))
        return joined(parts, self.__count)

    def display_hint(self):
        return "array"

    def num_children(self):
        return self.__count

    def child(self, i):
        return "[%d]" % i, self.__value[self.__low + i]

    def children(self):
        return (self.child(i) for i in range(self.__count))


STEP = re.compile(r"(?:\.|->)?([A-Za-z_]\w*)|\[(\d+)\]")


def step(value, name, index):
    """One step into a value, as it is shown."""
    while value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF) and (
        index is None or value.type.strip_typedefs().target().strip_typedefs().code == gdb.TYPE_CODE_STRUCT
        and value.type.strip_typedefs().code == gdb.TYPE_CODE_REF
    ):
        value = value.referenced_value()
    if index is None:
        return value[name]
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
        return value[int(index)]
    printer = visualizer(value)
    if isinstance(printer, Vector):
        return printer.child(int(index))[1]
    plain = list(itertools.islice(original(value).children(), 2 * int(index), 2 * int(index) + 2))
    if printer.hint() == "map":
        return {"first": as_value(plain[0][1]), "second": as_value(plain[1][1])}
    return as_value(next(itertools.islice(printer.children(), int(index), None))[1])


class Path(gdb.Function):
    """$aidb("a.b[2].c"): a value by the way that leads to it."""

    def __init__(self):
        super().__init__("aidb")

    def invoke(self, path):
        text = path.string()
        steps = list(STEP.finditer(text))
        value = gdb.parse_and_eval(steps[0].group(1))
        try:
            for m in steps[1:]:
                value = value[m.group(1)] if isinstance(value, dict) else step(value, m.group(1), m.group(2))
        except (StopIteration, IndexError):
            raise gdb.GdbError("there is no element %s" % text)
        if isinstance(value, dict):
            raise gdb.GdbError("%s is a pair: name its .first or its .second" % text)
        return value


Path()
gdb.printing.make_visualizer = visualizer
