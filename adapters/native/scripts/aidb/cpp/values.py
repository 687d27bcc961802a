"""What is in the values of GNU's C++ library, read from memory with bounds and
doubt. Knows no debugger: a value is what aidb.debugger makes of
theirs, with the same methods (member, number, address, type, at, memory)."""

import re

from aidb.debugger.interface import CppType, CppValue, Nonsense

SANE = 1 << 40  # no length of an honest container is greater
UNSET = "<not initialized>"


class Text:
    """Characters in memory: a std::string, a view, or what a char pointer leads to."""

    def __init__(self, v, address, length, of):
        if not 0 <= length <= SANE:
            raise Nonsense("length %d" % length)
        self.v, self.address, self.length, self.width = v, address, length, of.size
        self.prefix = PREFIXES.get(of.name, "")

    def data(self, most=None, start=0):
        """The bytes of some of the characters."""
        count = self.length - start if most is None else min(self.length - start, most)
        return self.v.memory(self.address + start * self.width, count * self.width) if count > 0 else b""


PREFIXES = {"wchar_t": "L", "char16_t": "u", "char32_t": "U", "char8_t": "u8"}


class Sequence:
    """Elements that have a number."""

    bits = None  # of a bitset, as it is written
    fixed = False  # its length is its type's
    hashed = False  # its order says nothing
    top = None  # of what has a top, that element's number
    numbers = None  # given a count: the first elements, where they are whole numbers side by side

    def __init__(self, count, item):
        if not 0 <= count <= SANE:
            raise Nonsense("count %d" % count)
        self.count, self.item = count, item


class Chain(Sequence):
    """Elements that are found one after the other, and then known."""

    def __init__(self, count, nodes, element):
        super().__init__(count, self.at)
        self.nodes, self.element, self.known = nodes, element, []

    def node(self, i: int):
        while len(self.known) <= i:
            node = next(self.nodes, None)
            if node is None:
                raise Nonsense("element %d of %d" % (i, self.count))
            self.known.append(node)
        return self.known[i]

    def at(self, i: int):
        return self.element("[%d]" % i, self.node(i))

    def matching(self, key, data):
        """The places of the elements in whose memory, where the first has its key, these bytes stand; a
        text's are those that its pointer leads to."""
        text = shape(key)
        offset, size = key.address - self.node(0), key.type.size
        for i in range(self.count):
            at = self.node(i) + offset
            if text is None:
                if key.memory(at, size) == data:
                    yield i
            elif int.from_bytes(key.memory(at + key.word, key.word), "little") == len(data) and key.memory(key.pointer_at(at), len(data)) == data:
                yield i


class Pairs(Chain):
    """The entries of a map."""

    def __init__(self, count, nodes, element, unique):
        super().__init__(count, nodes, element)
        self.unique = unique  # no key comes twice

    def key(self, i: int):
        return self.item(i).member("first")

    def value(self, i: int):
        return self.item(i).member("second")


class Held:
    """What holds one other value, or none."""

    def __init__(self, value, none):
        self.value, self.none = value, none


class Variant(Held):
    def __init__(self, value, index, of=None):
        super().__init__(value, "valueless")
        self.index, self.of = index, of

    def is_empty(self):
        """Says that it holds what LLDB takes for nothing and does not read: std::monostate."""
        return self.of is not None and self.of.code == "record" and not self.of.size


class Shared(Held):
    def __init__(self, value, uses):
        super().__init__(value, "nullptr")
        self.uses = uses


class Told:
    """A value that is best told in words."""

    def __init__(self, words, number=None):
        self.words, self.number = words, number


LIBRARY = re.compile(r"^std::(?:__cxx11::|__debug::|filesystem::__cxx11::|filesystem::|chrono::(?:_V2::)?|_V2::)?(\w+)(?:<|$)")


def shape(v: CppValue):
    """What is in a value of the library; None where it is none of these."""
    if v.type.code != "record":
        return None
    m = LIBRARY.match(v.type.name)
    make = MAKERS.get(m.group(1)) if m else None
    return make(v) if make else None


def need(v, *path):
    for name in path:
        v = v.member(name)
        if v is None:
            raise Nonsense("no " + name)
    return v


def pointed(v: CppValue, *path):
    return need(v, *path).number()


def words_of(v: CppValue, count):
    """The first words of a value in memory, read at once: each word with the debugger costs."""
    data = v.memory(v.address, count * v.word)
    return [int.from_bytes(data[i:i + v.word], "little") for i in range(0, len(data), v.word)]


def string(v):
    of = v.type.argument(0) if v.placed() and v.type.size == 16 + 2 * v.word and v.type.name.startswith("std::__cxx11::") else None
    if of is not None:  # its allocator has no state
        return Text(v, *words_of(v, 2), of)
    data = need(v, "_M_dataplus", "_M_p")
    return Text(v, data.number(), pointed(v, "_M_string_length"), data.type.pointee())


def string_view(v: CppValue):
    data = need(v, "_M_str")
    return Text(v, data.number(), pointed(v, "_M_len"), data.type.pointee())


def path(v: CppValue):
    return string(need(v, "_M_pathname"))


def contiguous(v, address, count, of):
    if count and not v.readable(address):
        raise Nonsense("elements")
    held = Sequence(count, lambda i: v.at("[%d]" % i, address + i * of.size, of))
    if of.code == "int" and of.size <= 8:
        held.numbers = lambda most: whole_numbers(v.memory(address, most * of.size), of.size, of.signed)
    return held


def whole_numbers(data, size: int, signed: bool):
    return [int.from_bytes(data[i:i + size], "little", signed=signed) for i in range(0, len(data), size)]


def vector(v: CppValue):
    of = v.type.argument(0) if v.placed() and v.type.size == 3 * v.word else None
    if of is not None:  # no bits, and an allocator without a state
        first, last, end = words_of(v, 3)
    else:
        inner = need(v, "_M_impl")
        begin = need(inner, "_M_start")
        if begin.type.code == "record":
            return bits(inner)
        first, last, end = begin.number(), pointed(inner, "_M_finish"), pointed(inner, "_M_end_of_storage")
        of = begin.type.pointee()
    if not first <= last <= end or of.size and (last - first) % of.size:
        raise Nonsense("bounds")
    return contiguous(v, first, (last - first) // max(of.size, 1), of)


def bits(inner):
    """std::vector<bool>."""
    first, last = pointed(inner, "_M_start", "_M_p"), pointed(inner, "_M_finish", "_M_p")
    offset = pointed(inner, "_M_finish", "_M_offset")
    if first > last:
        raise Nonsense("bounds")

    def item(i: int):
        return inner.boolean("[%d]" % i, bool(inner.memory(first + i // 8, 1)[0] >> i % 8 & 1))

    return Sequence((last - first) * 8 + offset, item)


def deque(v: CppValue):
    start, finish = need(v, "_M_impl", "_M_start"), need(v, "_M_impl", "_M_finish")
    of = start.member("_M_cur").type.pointee()
    chunk = 512 // of.size if of.size < 512 else 1
    node, last = pointed(start, "_M_node"), pointed(finish, "_M_node")
    before = (pointed(start, "_M_cur") - pointed(start, "_M_first")) // of.size
    after = (pointed(finish, "_M_cur") - pointed(finish, "_M_first")) // of.size
    word = v.word
    if node > last or not 0 <= before < chunk or not 0 <= after < chunk:
        raise Nonsense("bounds")

    def item(i: int):
        chunk_at = v.pointer_at(node + (i + before) // chunk * word)
        return v.at("[%d]" % i, chunk_at + (i + before) % chunk * of.size, of)

    return Sequence((last - node) // word * chunk + after - before, item)


def beyond(offset, of: CppType):
    """Where an element lies behind the links of its node."""
    return offset + -offset % max(of.align, 1)


def linked(v: CppValue, first, end, of: CppType, links):
    """The nodes of a list, up to its end."""
    at = first
    while at and at != end:
        yield at
        at = v.pointer_at(at)


def list_(v):
    header, of, word = need(v, "_M_impl", "_M_node"), v.type.argument(0), v.word
    end, first = header.address, pointed(header, "_M_next")
    size = header.member("_M_size")
    count = size.number() if size is not None else sum(1 for _ in linked(v, first, end, of, 2))
    return Chain(count, linked(v, first, end, of, 2), lambda name, at: v.at(name, at + beyond(2 * word, of), of))


def forward_list(v):
    first, of, word = pointed(v, "_M_impl", "_M_head", "_M_next"), v.type.argument(0), v.word
    count, at = 0, first
    while at:  # it does not keep its length
        count, at = count + 1, v.pointer_at(at)
        if count > 1000000:
            raise Nonsense("a list of more than a million")
    return Chain(count, linked(v, first, 0, of, 1), lambda name, at: v.at(name, at + beyond(word, of), of))


def in_order(v: CppValue, first, count):
    """The nodes of a red-black tree from its first: colour, parent, left, right."""
    word, at = v.word, first
    for _ in range(count):
        yield at
        right = v.pointer_at(at + 3 * word)
        if right:
            at, left = right, v.pointer_at(right + 2 * word)
            while left:
                at, left = left, v.pointer_at(left + 2 * word)
            continue
        parent = v.pointer_at(at + word)
        while at == v.pointer_at(parent + 3 * word):
            at, parent = parent, v.pointer_at(parent + word)
        at = parent


def tree(v: CppValue):
    inner = need(v, "_M_t")
    of, head = inner.type.argument(1), need(inner, "_M_impl")
    count = pointed(head, "_M_node_count")
    first = pointed(head, "_M_header", "_M_left")
    if count and not v.readable(first):
        raise Nonsense("nodes")
    offset = beyond(4 * v.word, of)
    return entries(v, count, in_order(v, first, count), lambda name, at: v.at(name, at + offset, of))


def hashed(v: CppValue):
    inner = need(v, "_M_h")
    of, count = inner.type.argument(1), pointed(inner, "_M_element_count")
    first = pointed(inner, "_M_before_begin", "_M_nxt")
    if count and not v.readable(first):
        raise Nonsense("nodes")
    offset = beyond(v.word, of)
    held = entries(v, count, linked(v, first, 0, of, 1), lambda name, at: v.at(name, at + offset, of))
    held.hashed = True
    return held


def entries(v: CppValue, count, nodes, element):
    if "map<" not in v.type.name.split("<", 1)[0] + "<":
        return Chain(count, nodes, element)
    return Pairs(count, nodes, element, "multi" not in v.type.name.split("<", 1)[0])


def array(v: CppValue):
    elements = v.member("_M_elems")
    if elements is None or elements.type.code != "array":
        return Sequence(0, None)
    if not elements.placed():  # a result, for one, which is in registers
        return Sequence(elements.type.count, elements.element)
    return contiguous(elements, elements.address, elements.type.count, elements.type.element())


def span(v):
    data = need(v, "_M_ptr")
    extent = need(v, "_M_extent").member("_M_extent_value")
    fixed = re.search(r", (\d+)(?:ul?)?>$", v.type.name)
    if extent is None and not fixed:
        raise Nonsense("extent")
    return contiguous(v, data.number(), extent.number() if extent is not None else int(fixed.group(1)), data.type.pointee())


def initializer_list(v: CppValue):
    data = need(v, "_M_array")
    return contiguous(v, data.number(), pointed(v, "_M_len"), data.type.pointee())


def adaptor(v: CppValue):
    """A stack, a queue, or a heap, of which the first element is the top."""
    held = shape(need(v, "c"))
    if isinstance(held, Sequence):
        held.top = {"std::stack": held.count - 1, "std::priority_queue": 0}.get(v.type.name.split("<")[0])
    return held


def optional(v: CppValue):
    payload = need(v, "_M_payload")
    if pointed(payload, "_M_engaged") & 0xFF > 1:
        raise Nonsense("engaged")
    return Held(need(payload, "_M_payload", "_M_value") if pointed(payload, "_M_engaged") & 0xFF else None, "nullopt")


def variant(v: CppValue):
    index = need(v, "_M_index")
    n = index.number()
    if n == (1 << 8 * index.type.size) - 1:
        return Variant(None, -1)
    of = v.type.argument(n)
    if of is None:
        raise Nonsense("index %d" % n)
    return Variant(v.at("value", need(v, "_M_u").address, of), n, of)


def tuple_(v: CppValue):
    parts, level = [], next((b for b in v.bases() if "_Tuple_impl<" in b.type.name), None)
    while level is not None:
        rest = None
        for base in level.bases():
            if "_Tuple_impl<" in base.type.name:
                rest = base
            elif "_Head_base<" in base.type.name:
                held = base.member("_M_head_impl")
                parts.append(held if held is not None else base)
        level = rest
    told = Sequence(len(parts), lambda i: parts[i].named("[%d]" % i))
    told.fixed = True
    return told


def unique_ptr(v: CppValue):
    held = tuple_(need(v, "_M_t", "_M_t"))
    return smart(held.item(0), None)


def shared_ptr(v):
    control = need(v, "_M_refcount", "_M_pi")
    uses = 0
    if control.number():
        counter = control.deref().member("_M_use_count")
        uses = counter.number() if counter is not None else None
    if v.type.name.startswith("std::weak_ptr") and not uses:
        return Shared(None, 0)
    return smart(need(v, "_M_ptr"), uses)


def smart(pointer, uses):
    return Shared(pointer.deref() if pointer.number() else None, uses)


def reference_wrapper(v: CppValue):
    return Held(need(v, "_M_data").deref(), "nullptr")


def atomic(v):
    for way in (("_M_i",), ("_M_base", "_M_i"), ("_M_b", "_M_p"), ("_M_fp",)):
        held = v
        for name in way:
            held = held.member(name) if held is not None else None
        if held is not None:
            return Held(held, "")
    raise Nonsense("atomic")


def bitset(v):
    size = int(re.search(r"<(\d+)", v.type.name).group(1))
    if not size:
        return Sequence(0, None)
    words = need(v, "_M_w")
    data = int.from_bytes(v.memory(words.address, (size + 7) // 8), "little")
    told = Sequence(size, lambda i: v.boolean("[%d]" % i, bool(data >> i & 1)))
    told.bits = format(data & (1 << size) - 1, "0%db" % size)
    return told


UNITS = {
    "1, 1000000000": "ns", "1, 1000000": "us", "1, 1000": "ms", "1, 1": "s", "60, 1": "min", "3600, 1": "h", "86400, 1": "d",
}


def duration(v: CppValue):
    count = need(v, "__r")
    ratio = re.search(r"std::ratio<(\d+)l?, ?(\d+)l?>", v.type.name)
    unit = UNITS.get("%s, %s" % ratio.groups(), " * %s/%s s" % ratio.groups()) if ratio else "s"
    return Told("%s%s" % (count.scalar_words(), unit), count)


def time_point(v: CppValue):
    since = need(v, "__d")
    return Told("%s since the clock's epoch" % duration(since).words, need(since, "__r"))


def function(v: CppValue):
    """A std::function, by the name of what calls the thing that it holds."""
    if not pointed(v, "_M_manager"):
        return Told("empty")
    name = need(v, "_M_invoker").symbol()
    if "_Function_handler<" not in name:
        return Told("function %s" % name if name else "function")
    name = name.split("_Function_handler<", 1)[1].rsplit(">::_M_invoke", 1)[0].strip()
    depth = 0
    for i, c in enumerate(name):
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            return Told(name[i + 1 :].strip())
    return Told("function")


MAKERS = {
    "basic_string": string, "string": string, "wstring": string, "u16string": string, "u32string": string, "u8string": string,
    "basic_string_view": string_view, "path": path,
    "vector": vector, "deque": deque, "list": list_, "forward_list": forward_list, "array": array, "span": span,
    "initializer_list": initializer_list, "stack": adaptor, "queue": adaptor, "priority_queue": adaptor, "bitset": bitset,
    "map": tree, "set": tree, "multimap": tree, "multiset": tree,
    "unordered_map": hashed, "unordered_set": hashed, "unordered_multimap": hashed, "unordered_multiset": hashed,
    "optional": optional, "variant": variant, "tuple": tuple_, "atomic": atomic,
    "unique_ptr": unique_ptr, "shared_ptr": shared_ptr, "weak_ptr": shared_ptr, "reference_wrapper": reference_wrapper,
    "function": function, "duration": duration, "time_point": time_point,
}
