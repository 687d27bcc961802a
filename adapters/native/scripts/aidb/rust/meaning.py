"""What names, operators and indexes of Rust mean for the values of a program."""

from aidb.debugger.interface import Nonsense, Value
from aidb.guard import LEFT_OUT
from aidb.rust.children import Children
from aidb.rust.keys import Unfinished
from aidb.rust.library import content, data_of
from aidb.rust.memory import UNSURE, Sequence, child, deque, kind_of, number, slice_of, vec
from aidb.rust.words import UNREADABLE, UNTOLD, Words, counted, memory_of, quoted, string_bytes, wide_of

SAME = {"as_str", "as_ref", "as_mut", "as_slice", "as_deref", "clone", "to_owned", "to_string", "borrow", "borrow_mut", "iter", "deref", "get_mut", "into_inner", "load"}


class Wrong(Exception):
    """An expression that cannot be told a value, and why."""


class Word(str):
    """A path that names no variable, such as None or Payment::Cash, as a value's summary would have it."""


class Reference:
    """&x, which is shown as x but is an address."""

    def __init__(self, value) -> None:
        self.value = value


class Found:
    """An Option of our own making: what was found, or None."""

    def __init__(self, held) -> None:
        self.held = held

    def word(self):
        return "None" if self.held is None else "Some(%s)" % shown(self.held)

    def method(self, name: str):
        if name in ("is_some", "is_none"):
            return (self.held is None) == (name == "is_none")
        if name in ("unwrap", "expect"):
            return self.whole()
        if name in SAME or name in ("copied", "cloned"):
            return self
        raise Wrong("methods of Rust cannot be called in an expression: .%s(); write .unwrap() to read what was found" % name)

    def whole(self):
        if self.held is None:
            raise Wrong("it is None: nothing was found")
        return self.held


def plain(value):
    """A value as Python has it: a number, a truth, a text; of what is more, its summary."""
    if isinstance(value, Reference):
        value = value.value
    if isinstance(value, Found):
        return Word(value.word())
    if not isinstance(value, Value):
        return value
    kind = kind_of(value)
    if kind == "pointer" and value.type.pointee().size and value.unsigned():
        return plain(target_of(value))
    if UNSURE.match(value.type.name):
        raise Wrong("%s is not compared: what lies there may never have been written; write .assume_init() behind it where it was" % (value.name or "it"))
    if kind in ("cell", "guard", "atomic", "thin"):
        return plain(content(value))
    if kind == "counted":
        box = counted(value)
        if box is None or box[0] is None:
            return None
        return memory_of(box[0]).decode("utf-8", "replace") if wide_of(value) == "str" else plain(box[0])
    if kind in ("string", "os"):
        return value.memory(*string_bytes(value)).decode("utf-8", "replace")
    if kind == "bytes":
        return value.memory(*data_of(value)).decode("utf-8", "replace")
    if kind == "str":
        return value.memory(child(value, "data_ptr").unsigned(), number(child(value, "length"))).decode("utf-8", "replace")
    if kind == "scalar":
        code = value.type.code
        if code == "wide":
            return chr(value.unsigned())
        if code == "bool":
            return value.unsigned() != 0
        if code == "float":
            return real_of(value)
        return Word(Words().scalar(value, 0)) if code == "enum" else value.integer()
    return told(value)


def real_of(value):
    text = value.text()
    if text is None:
        raise Nonsense("unreadable")
    return float(text)


def told(value):
    """What is more than a number or a text: its summary, if that is known."""
    word = Words().of(value, 1)
    for doubt in (UNTOLD, UNREADABLE, LEFT_OUT):
        if doubt in word:
            raise Wrong("the value cannot be read: %s" % word)
    return Word(word)


def shown(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(value, Word):
        return quoted(value.encode())
    return str(value) if not isinstance(value, Value) else Words().of(value, 1)


def arithmetic(value):
    n = plain(value)
    if isinstance(n, str) or n is None:
        raise Wrong("%s is no number" % (n or "it"))
    return n


def inverted(value):
    """!x: of a number all its bits, of which an unsigned one has only so many."""
    n = plain(value)
    if isinstance(n, bool):
        return not n
    unsigned = isinstance(value, Value) and kind_of(value) == "scalar" and not value.type.signed
    return ~arithmetic(n) % (1 << 8 * value.type.size) if unsigned else ~arithmetic(n)


def combine(op: str, a, b):
    if op in ("==", "!=", "<", "<=", ">", ">="):
        a, b = plain(a), plain(b)
        if isinstance(a, Word) and isinstance(b, Word) and op in ("==", "!="):
            a, b = str(a), str(b)
            if a == b and "…" in a:
                raise Wrong("they are too long to be compared as a whole: compare their parts, or len()")
        elif isinstance(a, Word) != isinstance(b, Word) or isinstance(a, str) != isinstance(b, str):
            raise Wrong("%s and %s cannot be compared" % (shown(a), shown(b)))
        return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    a, b = arithmetic(a), arithmetic(b)
    if op in "/%":
        if b == 0:
            raise Wrong("division by zero")
        if isinstance(a, int) and isinstance(b, int):
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - b * quotient
        return a / b if op == "/" else a % b
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "|": lambda: a | b, "^": lambda: a ^ b,
            "&": lambda: a & b, "<<": lambda: a << b, ">>": lambda: a >> b}[op]()


def children(value):
    if isinstance(value, Reference):
        value = value.value
    if not isinstance(value, Value):
        raise Wrong("%s has no parts" % shown(value))
    if kind_of(value) == "untold":
        raise Wrong("gdb cannot read it: in it is an enum whose tag has more than 64 bits, of which gdb dies; LLDB can (adapter_options.debugger)")
    c = Children(value)
    c.read()
    return c


def field(value, name: str):
    c = children(value)
    i = c.rank_of(name or "")
    if i < 0 or i >= c.count:
        known = [f.name for f in (c.list or [])][:12]
        raise Wrong("there is no field %s%s" % (name, "; the fields are " + ", ".join(known) if known else ""))
    return c.part(i)


def element(value, index):
    c = children(value)
    if c.by_key:
        wanted = "[%s]" % shown(plain(index))
        try:
            i = c.find(plain(index), wanted)
        except Unfinished as unfinished:
            raise Wrong(str(unfinished)) from unfinished
        if i < 0:
            raise Wrong("there is no key %s" % wanted[1:-1])
    else:
        i = arithmetic(index)
        if c.items is None:
            raise Wrong("it cannot be indexed")
        if not 0 <= i < c.count:
            raise Wrong("index %d is out of bounds: the length is %d" % (i, c.count))
    found = c.part(i)
    if found is None:
        raise Wrong("the element cannot be read")
    return found


def between(value, first, last, inclusive):
    """The elements, or bytes of a text, from first up to last."""
    def bounds(length: int):
        start = 0 if first is None else arithmetic(first)
        end = length if last is None else arithmetic(last) + inclusive
        if not 0 <= start <= end <= length:
            raise Wrong("%d..%d is out of bounds: the length is %d" % (start, end, length))
        return start, end
    if isinstance(value, Reference):
        value = value.value
    if isinstance(value, Value):
        v = value
        while kind_of(v) == "pointer":
            v = target_of(v)
        kind = kind_of(v)
        if kind in ("string", "str", "os"):
            address, length = string_bytes(v) if kind != "str" else (child(v, "data_ptr").unsigned(), number(child(v, "length")))
            start, end = bounds(length)
            return v.memory(address + start, end - start).decode("utf-8", "replace")
        if kind in ("vec", "deque", "slice", "array"):
            if kind == "array":
                all_ = Sequence(v, v.address, v.count, v.type.element())
            else:
                all_ = {"vec": vec, "deque": deque, "slice": slice_of}[kind](v)
            start, end = bounds(len(all_))
            if all_.capacity and all_.head + end > all_.capacity:
                raise Wrong("this range goes round the end of the ring; index single elements")
            size = all_.type.size
            return v.at("[%d..%d]" % (start, end), all_.address + (all_.head + start) * size, all_.type.array(end - start))
    text = plain(value)
    if isinstance(text, str) and not isinstance(text, Word):
        data = text.encode()
        start, end = bounds(len(data))
        return data[start:end].decode("utf-8", "replace")
    raise Wrong("it has no ranges")


def target_of(value):
    if isinstance(value, Reference):
        return value.value
    if not isinstance(value, Value):
        return value
    v = value
    kind = kind_of(v)
    if kind == "pointer":
        return v.at("*" + v.name, v.unsigned(), v.type.pointee())
    if kind == "counted":
        box = counted(v)
        if box and box[0] is not None:
            return box[0]
    if kind in ("guard", "thin"):
        return content(v)
    return value
