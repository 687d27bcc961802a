"""Expressions of Rust, worked out on the variables of a frame: fields, elements,
comparisons, arithmetic. Code of the program is never run."""

import re

import lldb

from aidb.rust import living
from aidb.expression import Reader
from aidb.rust.memory import *  # noqa: F403
from aidb.rust.library import data_of
from aidb.rust.methods import Found, method
from aidb.rust.keys import Unfinished
from aidb.rust.children import Children
from aidb.rust.words import UNREADABLE, UNTOLD, Words, quoted, string_bytes, content, counted, memory_of, wide_of


class Wrong(Exception):
    """An expression that cannot be told a value, and why."""


TOKEN = re.compile(r"""\s*(?:
    (?P<float>\d[\d_]*\.\d[\d_]*(?:e[+-]?\d+)?(?:_?f(?:32|64))?|\d[\d_]*_?f(?:32|64))
  | (?P<int>0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*)(?:[iu](?:8|16|32|64|128|size))?
  | (?P<string>b?"(?:[^"\\]|\\.)*")
  | (?P<char>'(?:[^'\\]|\\.[^']*)')
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*(?:::(?:<[^>]*>)?[A-Za-z_0-9]*)*)
  | (?P<op>&&|\|\||==|!=|<=|>=|<<|>>|\.\.=?|[-+*/%&|^<>!.,()\[\]?{}])
)""", re.VERBOSE)

LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Word(str):
    """A path that names no variable, such as None or Payment::Cash, as a value's summary would have it."""


class Evaluator(Reader):
    """Reads an expression of Rust and works it out on the variables of a frame."""

    TOKEN, LEVELS, ENDERS = TOKEN, LEVELS, {",", "..", "..="}
    Misread, Doubts = Wrong, (Wrong, Nonsense)

    def __init__(self, frame, text):
        self.frame = frame
        super().__init__(text)

    def expression(self):
        return self.binary(0)

    def operand(self):
        return self.cast()

    def combine(self, op, left, right):
        return combine(op, left, right)

    def truth(self, value):
        value = plain(value)
        if not isinstance(value, bool):
            raise Wrong("%s is neither true nor false" % shown(value))
        return value

    def cast(self):
        value = self.unary()
        while self.peek() == ("name", "as"):
            self.i += 1
            _, to = self.peek()
            self.i += 1
            n = plain(value)
            if isinstance(n, str) and len(n) == 1:
                n = ord(n)
            if not isinstance(n, (int, float)) or to is None:
                raise Wrong("only numbers can be cast")
            m = re.match(r"^([iu])(8|16|32|64|128|size)$", to)
            if m:
                bits = 64 if m.group(2) == "size" else int(m.group(2))
                n = int(n) % (1 << bits)
                value = n - (1 << bits) if m.group(1) == "i" and n >> (bits - 1) else n
            elif to in ("f32", "f64"):
                value = float(n)
            elif to == "char":
                value = chr(int(n))
            else:
                raise Wrong("a cast to %s is not understood" % to)
        return value

    def unary(self):
        op = self.take("-", "!", "*", "&", "&&")
        if op == "-":
            return -arithmetic(self.unary())
        if op == "!":
            return inverted(self.unary())
        if op == "*":
            return target_of(self.unary())
        if op:
            if self.peek() == ("name", "mut"):
                self.i += 1
            value = self.unary()
            return value if not isinstance(value, lldb.SBValue) or self.i < len(self.tokens) else Reference(value)
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while True:
            if self.take("."):
                kind, name = self.peek()
                self.i += 1
                if kind == "float":  # a.0.1
                    for part in name.split("."):
                        value = field(value, part)
                elif self.take("("):
                    arguments = self.arguments()
                    value = method(value, name, arguments)
                else:
                    value = field(value, name)
            elif self.take("["):
                first = None if self.peek()[1] in ("..", "..=") else self.binary(0)
                dots = self.take("..", "..=")
                if dots:
                    last = None if self.peek()[1] == "]" else self.binary(0)
                    value = between(value, first, last, dots == "..=")
                else:
                    value = element(value, first)
                self.need("]")
            elif self.take("?"):
                raise Wrong("? cannot be evaluated: name the field instead, as in x.0")
            else:
                return value

    def primary(self):
        kind, text = self.peek()
        self.i += 1
        if kind == "int":
            return int(text.replace("_", ""), 0) if text[:2] in ("0x", "0b", "0o") else int(text.replace("_", ""))
        if kind == "float":
            return float(re.sub(r"_?f(32|64)$", "", text).replace("_", ""))
        if kind == "string":
            return unescaped(text.lstrip("b")[1:-1])
        if kind == "char":
            return unescaped(text[1:-1])
        if kind == "name":
            return self.named(text)
        if text == "(":
            value = self.binary(0)
            self.need(")")
            return value
        raise Wrong("%r is not understood" % self.text if text is None else "%r is not understood here" % text)

    def named(self, name):
        if name in ("true", "false"):
            return name == "true"
        found = variable(self.frame, name)
        if found is not None:
            return found
        if self.take("("):
            arguments = self.arguments()
            if not last_part(name)[:1].isupper():
                return call(self.frame, name, arguments)
            return Word(last_part(name) + "(" + ", ".join(shown(a) for a in arguments) + ")")
        if last_part(name)[:1].isupper():
            return Word(last_part(name))
        raise Wrong("there is no variable %s in this frame" % name)


class Reference:
    """&x, which is shown as x but is an address."""

    def __init__(self, value):
        self.value = value


def variable(frame, name):
    found = frame.FindVariable(name)
    if found.IsValid():
        why = living.unset(frame, found)
        if why:
            raise Wrong("%s is not readable here: %s" % (name, why))
        return found
    statics = frame.FindValue(name, lldb.eValueTypeVariableGlobal)
    if statics.IsValid():
        return statics
    target = frame.GetThread().GetProcess().GetTarget()
    for i, place in enumerate((name, crate_of(frame) + "::" + name)):
        globals_ = target.FindGlobalVariables(place, 1)
        if globals_.GetSize() and (i or "::" in name):
            return globals_.GetValueAtIndex(0)
    module = (frame.GetFunctionName() or "").rsplit("::", 1)[0]
    globals_ = target.FindGlobalVariables(module + "::" + name, 1)
    return globals_.GetValueAtIndex(0) if globals_.GetSize() else None


def crate_of(frame):
    return (frame.GetFunctionName() or "").split("::", 1)[0].lstrip("<")


def unescaped(text):
    return re.sub(r"\\(x..|u\{[0-9a-fA-F]+\}|.)", lambda m: {
        "n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(m.group(1)) or (
            chr(int(m.group(1).strip("xu{}"), 16)) if len(m.group(1)) > 1 else m.group(1)), text)


def plain(value):
    """A value as Python has it: a number, a truth, a text; of what is more, its summary."""
    if isinstance(value, Reference):
        value = value.value
    if isinstance(value, Found):
        return Word(value.word())
    if not isinstance(value, lldb.SBValue):
        return value
    value = raw(value)
    kind = kind_of(value)
    if kind == "pointer" and value.GetType().GetPointeeType().GetByteSize() and value.GetValueAsUnsigned():
        return plain(target_of(value))
    if kind in ("cell", "guard", "atomic", "thin"):
        return plain(content(value))
    if kind == "counted":
        box = counted(value)
        if box and wide_of(value) == "str":
            return memory_of(box[0]).decode("utf-8", "replace")
        return plain(box[0]) if box else None
    if kind in ("string", "os"):
        return memory(value, *string_bytes(value)).decode("utf-8", "replace")
    if kind == "bytes":
        return memory(value, *data_of(value)).decode("utf-8", "replace")
    if kind == "str":
        return memory(value, child(value, "data_ptr").GetValueAsUnsigned(), number(child(value, "length"))).decode("utf-8", "replace")
    if kind == "scalar":
        name = type_name(value)
        basic = value.GetType().GetCanonicalType().GetBasicType()
        if name == "char32_t":
            return chr(value.GetValueAsUnsigned())
        if name == "bool":
            return value.GetValueAsUnsigned() != 0
        if basic in (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble):
            return float(value.GetValue())
        if value.GetType().GetTypeClass() == lldb.eTypeClassEnumeration:
            return Word(Words().scalar(value, 0))
        if value.GetValue() is not None and re.match(r"^-?\d+$", value.GetValue()):
            return int(value.GetValue())
        return value.GetValueAsUnsigned() if name.startswith("unsigned") else value.GetValueAsSigned()
    return told(value)


def told(value):
    """What is more than a number or a text: its summary, if that is known."""
    word = Words().of(value, 1)
    for doubt in (UNTOLD, UNREADABLE):
        if doubt in word:
            raise Wrong("the value cannot be read: %s" % word)
    return Word(word)


def shown(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(value, Word):
        return quoted(value.encode())
    return str(value) if not isinstance(value, lldb.SBValue) else Words().of(value, 1)


def arithmetic(value):
    n = plain(value)
    if isinstance(n, Word) or isinstance(n, str) or n is None:
        raise Wrong("%s is no number" % (n or "it"))
    return n


def inverted(value):
    """!x: of a number all its bits, of which an unsigned one has only so many."""
    n = plain(value)
    if isinstance(n, bool):
        return not n
    of = value.GetType().GetName() if isinstance(value, lldb.SBValue) else ""
    unsigned = of.startswith("u") and kind_of(raw(value)) == "scalar"
    return ~arithmetic(n) % (1 << 8 * value.GetType().GetByteSize()) if unsigned else ~arithmetic(n)


def combine(op, a, b):
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
    if not isinstance(value, lldb.SBValue):
        raise Wrong("%s has no parts" % shown(value))
    if kind_of(value) == "untold":
        raise Wrong("gdb cannot read it: in it is an enum whose tag has more than 64 bits, of which gdb dies; LLDB can (adapter_options.debugger)")
    c = Children(value, None)
    c.update()
    return c


def field(value, name):
    c = children(value)
    i = c.get_child_index(name or "")
    if i < 0 or i >= c.count:
        known = [f.GetName() for f in (c.list or [])][:12]
        raise Wrong("there is no field %s%s" % (name, "; the fields are " + ", ".join(known) if known else ""))
    return c.get_child_at_index(i)


def element(value, index):
    c = children(value)
    if c.by_key:
        wanted = "[%s]" % shown(plain(index))
        try:
            i = c.find(plain(index), wanted)
        except Unfinished as unfinished:
            raise Wrong(str(unfinished))
        if i < 0:
            raise Wrong("there is no key %s" % wanted[1:-1])
    else:
        i = arithmetic(index)
        if c.items is None:
            raise Wrong("it cannot be indexed")
        if not 0 <= i < c.count:
            raise Wrong("index %d is out of bounds: the length is %d" % (i, c.count))
    found = c.get_child_at_index(i)
    if found is None:
        raise Wrong("the element cannot be read")
    return found


def between(value, first, last, inclusive):
    """The elements, or bytes of a text, from first up to last."""
    def bounds(length):
        start = 0 if first is None else arithmetic(first)
        end = length if last is None else arithmetic(last) + inclusive
        if not 0 <= start <= end <= length:
            raise Wrong("%d..%d is out of bounds: the length is %d" % (start, end, length))
        return start, end
    if isinstance(value, Reference):
        value = value.value
    if isinstance(value, lldb.SBValue):
        v = raw(value)
        while kind_of(v) == "pointer":
            v = raw(target_of(v))
        kind = kind_of(v)
        if kind in ("string", "str", "os"):
            address, length = string_bytes(v) if kind != "str" else (child(v, "data_ptr").GetValueAsUnsigned(), number(child(v, "length")))
            start, end = bounds(length)
            return memory(v, address + start, end - start).decode("utf-8", "replace")
        if kind in ("vec", "deque", "slice", "array"):
            if kind == "array":
                all_ = Sequence(v, v.GetLoadAddress(), v.GetNumChildren(), v.GetType().GetArrayElementType())
            else:
                all_ = {"vec": vec, "deque": deque, "slice": slice_of}[kind](v)
            start, end = bounds(len(all_))
            if all_.capacity and all_.head + end > all_.capacity:
                raise Wrong("this range goes round the end of the ring; index single elements")
            size = all_.type.GetByteSize()
            return at(v, "[%d..%d]" % (start, end), all_.address + (all_.head + start) * size, all_.type.GetArrayType(end - start))
    text = plain(value)
    if isinstance(text, str) and not isinstance(text, Word):
        data = text.encode()
        start, end = bounds(len(data))
        return data[start:end].decode("utf-8", "replace")
    raise Wrong("it has no ranges")


def functions(frame, name):
    """Functions that a name may mean here: by its whole path, or by the end of it."""
    target = frame.GetThread().GetProcess().GetTarget()
    found = {}
    for context in target.FindFunctions(last_part(name), lldb.eFunctionNameTypeBase):
        f = context.GetFunction()
        if f.IsValid():
            full = re.sub(r"::h[0-9a-f]{16}$", "", f.GetDisplayName().split("(")[0])
            if full == name or full.endswith("::" + name):
                found[f.GetStartAddress().GetLoadAddress(target)] = (full, f)
    exact = [f for f in found.values() if f[0] in (name, crate_of(frame) + "::" + name)]
    return exact or list(found.values())


def call(frame, name, arguments):
    """Runs a function of the program whose arguments and result are plain numbers or references."""
    found = functions(frame, name)
    if len(found) != 1:
        raise Wrong("there is no function %s" % name if not found else "%s may be %s" % (name, " or ".join(sorted(f[0] for f in found))))
    full, f = found[0]
    takes, gives = f.GetType().GetFunctionArgumentTypes(), f.GetType().GetFunctionReturnType()
    if takes.GetSize() != len(arguments):
        raise Wrong("%s takes %d arguments, not %d" % (full, takes.GetSize(), len(arguments)))
    words = []
    for i, a in enumerate(arguments):
        words.append(passed(takes.GetTypeAtIndex(i), a, full))
    if not simple(gives) and gives.GetName() not in ("void", "()"):
        raise Wrong("%s gives a %s, and only functions of numbers can be called; step into a call instead" % (full, last_part(gives.GetName())))
    value = run(frame, f, takes, gives, words)
    if value.GetError().Fail() and gives.GetName() not in ("void", "()"):
        raise Wrong("calling %s failed: %s" % (full, (value.GetError().GetCString() or "").splitlines()[0]))
    return value if simple(gives) else Word("()")


def run(frame, f, takes, gives, words):
    """Calls a function by its address, in C++'s words."""
    types = ", ".join("void *" if takes.GetTypeAtIndex(i).IsPointerType() else takes.GetTypeAtIndex(i).GetName() for i in range(takes.GetSize()))
    address = f.GetStartAddress().GetLoadAddress(frame.GetThread().GetProcess().GetTarget())
    options = lldb.SBExpressionOptions()
    options.SetLanguage(lldb.eLanguageTypeC_plus_plus)
    options.SetTimeoutInMicroSeconds(5000000)
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    return frame.EvaluateExpression("((%s (*)(%s))%dUL)(%s)" % ("void" if gives.GetName() == "()" else gives.GetName(), types, address, ", ".join(words)), options)


def simple(t):
    t = t.GetCanonicalType()
    return t.GetTypeClass() == lldb.eTypeClassBuiltin and t.GetByteSize() in (1, 2, 4, 8)


def passed(t, argument, full):
    """An argument as C++ writes it."""
    if t.IsPointerType():
        if isinstance(argument, Reference):
            return "(void *)%dUL" % argument.value.GetLoadAddress()
        if isinstance(argument, lldb.SBValue) and raw(argument).GetType().IsPointerType():
            return "(void *)%dUL" % raw(argument).GetValueAsUnsigned()
    if not simple(t):
        raise Wrong("%s takes a %s, and only functions of numbers and references can be called; step into a call instead" % (full, last_part(t.GetName())))
    n = plain(argument)
    if isinstance(n, bool):
        return "true" if n else "false"
    return repr(arithmetic(argument))


def target_of(value):
    if isinstance(value, Reference):
        return value.value
    if not isinstance(value, lldb.SBValue):
        return value
    v = raw(value)
    kind = kind_of(v)
    if kind == "pointer":
        return at(v, "*" + (v.GetName() or ""), v.GetValueAsUnsigned(), v.GetType().GetPointeeType())
    if kind == "counted":
        box = counted(v)
        if box and box[0] is not None:
            return box[0]
    if kind in ("guard", "thin"):
        return content(v)
    return value


def evaluate(text, frame=None):
    """The value of an expression of Rust in the frame that LLDB has chosen."""
    try:
        value = Evaluator(frame or lldb.frame, text).whole()
    except Nonsense as wrong:
        raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong)
    if isinstance(value, Found):
        value = value.whole()
    if isinstance(value, Reference):
        value = value.value.AddressOf()
    if value == "()" and isinstance(value, Word):
        return None
    if isinstance(value, Word):
        raise Wrong("there is no variable %s in this frame" % value)
    if isinstance(value, lldb.SBValue):
        value.SetPreferSyntheticValue(True)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return wide_number(frame or lldb.frame, value)
    return value


def evaluate_hex(digits, frame=None):
    """The same, for a text that nothing on its way must touch."""
    return evaluate(bytes.fromhex(digits).decode("utf-8"), frame)
