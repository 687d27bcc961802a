"""How LLDB shows the values of GNU's C++ library: containers with what is in
them, text whole and as it is read, and what was never initialized as that."""

import functools
import threading
import time

import lldb

TEXT = 2000  # bytes of a text
ITEMS = 12  # elements of a container in its one line
LINE = 160  # characters of a container's line
GARBAGE = 1 << 40  # a size that nothing has

DEPTH = 3  # summaries within summaries
WITHIN = 0.25  # seconds that one summary may take, with all that are in it
ATONCE = 2.0  # seconds that the summaries of one stop may take until somebody asks for one

UNSET = "<not initialized>"

spending = threading.local()


def bounded(summary):
    """A summary that does not follow pointers without end: LLDB asks for the
    summaries of its parts by itself, and these for those of theirs."""

    @functools.wraps(summary)
    def within(value, inside):
        depth = getattr(spending, "depth", 0)
        now = time.monotonic()
        if depth == 0:
            stop = value.GetProcess().GetStopID()
            if getattr(spending, "stop", None) != stop:
                spending.stop, spending.spent = stop, 0.0
            spending.until = now + min(WITHIN, max(ATONCE - spending.spent, 0))
        if depth > DEPTH or now >= spending.until:
            return value.GetValue() or "{...}"
        spending.depth = depth + 1
        try:
            return summary(value, inside)
        finally:
            spending.depth = depth
            if depth == 0:
                spending.spent += time.monotonic() - now

    return within


def follows(kind):
    """Says that a type is a pointer or a reference to something that has parts."""
    if not (kind.IsPointerType() or kind.IsReferenceType()):
        return False
    to = kind.GetPointeeType() if kind.IsPointerType() else kind.GetDereferencedType()
    to = to.GetCanonicalType()
    return to.IsPointerType() or to.GetTypeClass() in (lldb.eTypeClassStruct, lldb.eTypeClassClass, lldb.eTypeClassUnion)


def quoted(data, more=0):
    """Bytes as a text in quotes; more is how many were left out."""
    text = data.decode("utf-8", "backslashreplace" if not more else "ignore")
    out = []
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c == "\n":
            out.append("\\n")
        elif c == "\t":
            out.append("\\t")
        elif c == "\r":
            out.append("\\r")
        elif c == "\0":
            out.append("\\0")
        elif ord(c) < 32 or ord(c) == 127:
            out.append("\\x%02x" % ord(c))
        else:
            out.append(c)
    return '"' + "".join(out) + '"' + ("...+%d more" % more if more else "")


def characters(value, address, length):
    if length > GARBAGE:
        return UNSET
    if length == 0:
        return '""'
    error = lldb.SBError()
    data = value.GetProcess().ReadMemory(address, min(length, TEXT), error)
    if error.Fail() or data is None:
        return UNSET
    return quoted(data, max(length - TEXT, 0))


@bounded
def string(value, _):
    value = value.GetNonSyntheticValue()
    data = value.GetChildMemberWithName("_M_dataplus").GetChildMemberWithName("_M_p")
    length = value.GetChildMemberWithName("_M_string_length")
    if not data.IsValid() or not length.IsValid():
        return None
    return characters(value, data.GetValueAsUnsigned(), length.GetValueAsUnsigned())


@bounded
def string_view(value, _):
    value = value.GetNonSyntheticValue()
    data = value.GetChildMemberWithName("_M_str")
    length = value.GetChildMemberWithName("_M_len")
    if not data.IsValid():
        return None
    return characters(value, data.GetValueAsUnsigned(), length.GetValueAsUnsigned())


def brief(value, depth=0):
    """A value within the line of another."""
    if not value.IsValid() or value.GetError().Fail():
        return "?"
    own = value.GetValue() if follows(value.GetType()) and depth > 0 else value.GetSummary()
    if own is None:
        own = value.GetValue()
    if own is not None:
        return own
    if depth > 1:
        return "{...}"
    parts = []
    for i in range(min(value.GetNumChildren(), 6)):
        child = value.GetChildAtIndex(i)
        parts.append("%s:%s" % (child.GetName(), brief(child, depth + 1)))
    return "{" + ", ".join(parts) + "}"


def listed(value, count, show):
    """A container's line: how many, and the first of them."""
    parts, used = [], 0
    for i in range(min(count, ITEMS)):
        child = value.GetChildAtIndex(i)
        if not child.IsValid() or child.GetError().Fail():
            return UNSET if i == 0 else "size=%d" % count
        part = show(child)
        used += len(part) + 2
        if used > LINE and parts:
            break
        parts.append(part)
    rest = "" if len(parts) == count else ", ..." if parts else "..."
    return "size=%d {%s%s}" % (count, ", ".join(parts), rest)


@bounded
def vector(value, _):
    inner = value.GetNonSyntheticValue().GetChildMemberWithName("_M_impl")
    at = [inner.GetChildMemberWithName(n).GetValueAsUnsigned() for n in ("_M_start", "_M_finish", "_M_end_of_storage")]
    if inner.GetChildMemberWithName("_M_start").IsValid() and not at[0] <= at[1] <= at[2]:
        return UNSET
    return sequence(value, _)


@bounded
def sequence(value, _):
    count = value.GetNumChildren()
    if count > GARBAGE:
        return UNSET
    return listed(value, count, brief)


@bounded
def association(value, _):
    count = value.GetNumChildren()
    if count > GARBAGE:
        return UNSET

    def pair(entry):
        key, held = entry.GetChildMemberWithName("first"), entry.GetChildMemberWithName("second")
        if not key.IsValid():
            return brief(entry)
        return "%s: %s" % (brief(key), brief(held))

    return listed(value, count, pair)


@bounded
def together(value, _):
    count = value.GetNumChildren()
    return "{" + ", ".join(brief(value.GetChildAtIndex(i)) for i in range(count)) + "}"


@bounded
def optional(value, _):
    if value.GetNumChildren() == 0:
        return "nullopt"
    return brief(value.GetChildAtIndex(0))


@bounded
def variant(value, _):
    if value.GetNumChildren() == 0:
        return "valueless"
    held = value.GetChildAtIndex(0)
    name = held.GetType().GetDisplayTypeName() or ""
    for long in ("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::basic_string<char>"):
        name = name.replace(long, "std::string")
    return "%s: %s" % (name, brief(held))


@bounded
def pointer(value, _):
    inner = value.GetNonSyntheticValue()
    held = inner.GetChildMemberWithName("_M_ptr")
    if not held.IsValid() and value.GetNumChildren() > 0:
        held = value.GetChildAtIndex(0)
    address = held.GetValueAsUnsigned()
    if address == 0:
        return "nullptr"
    pointed = held.Dereference()
    shown = brief(pointed) if pointed.IsValid() and pointed.GetError().Success() else "?"
    return "%#x %s" % (address, shown)


@bounded
def function(value, _):
    invoker = value.GetNonSyntheticValue().GetChildMemberWithName("_M_invoker")
    manager = value.GetNonSyntheticValue().GetChildMemberWithName("_M_manager")
    if manager.IsValid() and manager.GetValueAsUnsigned() == 0:
        return "empty"
    where = value.GetTarget().ResolveLoadAddress(invoker.GetValueAsUnsigned()).GetSymbol()
    name = where.GetName() if where.IsValid() else ""
    if "_Function_handler<" not in (name or ""):
        return None
    name = name.split("_Function_handler<", 1)[1].rsplit(">::_M_invoke", 1)[0].strip()
    depth = 0
    for i, c in enumerate(name):
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            return name[i + 1 :].strip()
    return None


def is_record(kind, _):
    """Types of the program's own that have members and no summary of their own."""
    if kind.IsPointerType() or kind.IsReferenceType():
        return False
    kind = kind.GetCanonicalType()
    if kind.GetTypeClass() not in (lldb.eTypeClassStruct, lldb.eTypeClassClass):
        return False
    name = kind.GetName() or ""
    return "::" not in name.split("<", 1)[0] or not name.startswith(("std::", "__gnu_cxx::", "core::", "alloc::", "hashbrown::"))


@bounded
def record(value, _):
    return brief_record(value, 0)


def brief_record(value, depth):
    """{name: value, …} of a record, to two levels, in one line."""
    parts, used, count = [], 0, value.GetNumChildren()
    for i in range(count):
        child = value.GetChildAtIndex(i)
        name, kind = child.GetName() or "", child.GetType()
        own = child.GetValue()
        if follows(kind) and own is not None:
            pass  # where it leads to may lead back
        elif is_record(kind, None):
            own = brief_record(child, depth + 1) if depth < 1 else "{...}"
        elif child.GetSummary() is not None:
            own = child.GetSummary()
        elif own is None:
            own = "{...}"
        part = "%s:%s" % (name, own)
        used += len(part) + 2
        if used > LINE and parts:
            break
        parts.append(part)
    rest = "" if len(parts) == count else ", ..." if parts else "..."
    return "{%s%s}" % (", ".join(parts), rest)


class Children:
    """Children that are found when they are first asked for."""

    def __init__(self, value, _):
        self.value = value
        self.found = None

    def update(self):
        self.found = None
        return False

    def has_children(self):
        return True

    def all(self):
        if self.found is None:
            self.found = list(self.find(self.value.GetNonSyntheticValue()))
        return self.found

    def num_children(self, most=None):
        count = len(self.all())
        return count if most is None else min(count, most)

    def get_child_at_index(self, index):
        found = self.all()
        return found[index] if 0 <= index < len(found) else None

    def get_child_index(self, name):
        try:
            return int(name.strip("[]"))
        except ValueError:
            return -1

    @staticmethod
    def named(value, index):
        return value.CreateValueFromAddress("[%d]" % index, value.GetLoadAddress(), value.GetType())


class Tuple(Children):
    def find(self, value):
        level, index = value.GetChildAtIndex(0), 0
        while level.IsValid() and "_Tuple_impl" in (level.GetTypeName() or ""):
            rest = None
            for i in range(level.GetNumChildren()):
                part = level.GetChildAtIndex(i)
                if "_Head_base" in (part.GetTypeName() or ""):
                    held = part.GetChildMemberWithName("_M_head_impl")
                    yield self.named(held if held.IsValid() else part, index)
                else:
                    rest = part
            index += 1
            if rest is None:
                return
            level = rest


class Array(Children):
    def elements(self):
        return self.value.GetNonSyntheticValue().GetChildMemberWithName("_M_elems")

    def num_children(self, most=None):
        count = self.elements().GetNumChildren()
        return count if most is None else min(count, most)

    def get_child_at_index(self, index):
        return self.elements().GetChildAtIndex(index)


class Hashed(Children):
    MOST = 100000

    def table(self):
        return self.value.GetNonSyntheticValue().GetChildMemberWithName("_M_h")

    def num_children(self, most=None):
        count = self.table().GetChildMemberWithName("_M_element_count").GetValueAsUnsigned()
        return count if most is None else min(count, most)

    def get_child_at_index(self, index):
        # Nodes are found one after the other, as far as they are asked for.
        if self.found is None:
            first = self.table().GetChildMemberWithName("_M_before_begin").GetChildMemberWithName("_M_nxt")
            self.found, self.next = [], first.GetValueAsUnsigned()
            self.kind = self.value.GetNonSyntheticValue().GetType().GetCanonicalType().FindDirectNestedType("value_type")
        process, size = self.value.GetProcess(), self.value.GetTarget().GetAddressByteSize()
        while len(self.found) <= index and self.next and len(self.found) < self.MOST:
            at = self.next
            error = lldb.SBError()
            self.next = process.ReadPointerFromMemory(at, error)
            if error.Fail():
                self.next = 0
            self.found.append(at + size)
        if not 0 <= index < len(self.found) or not self.kind.IsValid():
            return None
        # A type of up to 8 bytes' alignment follows the link at once.
        return self.value.CreateValueFromAddress("[%d]" % index, self.found[index], self.kind.GetCanonicalType())


def __lldb_init_module(debugger, _):
    def tell(command):
        debugger.HandleCommand(command)

    def summary(name, pattern):
        tell('type summary add -w aidb -e -F %s.%s -x "%s"' % (__name__, name, pattern))

    def children(name, pattern):
        tell('type synthetic add -w aidb -l %s.%s -x "%s"' % (__name__, name, pattern))

    gnu = "^(const )?std::(__cxx11::|__debug::)?"
    summary("string", gnu + "basic_string<char,.*>$")
    summary("string", "^(const )?std::(__cxx11::)?(basic_string<char>|string)$")
    summary("string_view", gnu + "basic_string_view<char,.*>$")
    summary("vector", gnu + "vector<.+>$")
    summary("sequence", gnu + "(deque|list|forward_list|set|multiset|array|unordered_set|unordered_multiset)<.+>$")
    summary("association", gnu + "(map|multimap|unordered_map|unordered_multimap)<.+>$")
    summary("together", gnu + "tuple<.*>$")
    summary("optional", gnu + "optional<.+>$")
    summary("variant", gnu + "variant<.+>$")
    summary("pointer", gnu + "(unique_ptr|shared_ptr)<.+>$")
    summary("function", gnu + "function<.+>$")
    children("Tuple", gnu + "tuple<.*>$")
    children("Array", gnu + "array<.+>$")
    children("Hashed", gnu + "unordered_(map|set|multimap|multiset)<.+>$")
    tell("type summary add -w aidb-records -e -F %s.record --recognizer-function %s.is_record" % (__name__, __name__))
    tell("type category enable aidb-records")
    tell("type category enable aidb")


def named(path):
    """The value that a path of names leads to, without LLDB's compiler where that
    can be; a name may be one of this object's members."""
    frame = lldb.frame
    value = frame.GetValueForVariablePath(path)
    if not value.IsValid() or value.GetError().Fail():
        value = frame.GetValueForVariablePath("this->" + path)
    if not value.IsValid() or value.GetError().Fail():
        value = frame.EvaluateExpression(path)
        if value.GetError().Fail():
            raise ValueError(value.GetError().GetCString())
    value.SetPreferSyntheticValue(True)
    return value
