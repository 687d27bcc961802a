"""Expressions of Rust, worked out on the variables of a frame: fields, elements,
comparisons, arithmetic. Code of the program is never run."""

import re

from aidb.debugger.interface import Frame, Nonsense, RustType, Value
from aidb.expression import Reader
from aidb.rust import moved
from aidb.rust.meaning import Found, Reference, Word, Wrong, arithmetic, between, combine, element, field, inverted, plain, shown, target_of
from aidb.rust.memory import is_unit, last_part
from aidb.rust.methods import method

TOKEN = re.compile(r"""\s*(?:
    (?P<float>\d[\d_]*\.\d[\d_]*(?:e[+-]?\d+)?(?:_?f(?:32|64))?|\d[\d_]*_?f(?:32|64))
  | (?P<int>0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*)(?:[iu](?:8|16|32|64|128|size))?
  | (?P<string>b?"(?:[^"\\]|\\.)*")
  | (?P<char>'(?:[^'\\]|\\.[^']*)')
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*(?:::(?:<[^>]*>)?[A-Za-z_0-9]*)*)
  | (?P<op>&&|\|\||==|!=|<=|>=|<<|>>|\.\.=?|[-+*/%&|^<>!.,()\[\]?{}])
)""", re.VERBOSE)

LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Evaluator(Reader):
    """Reads an expression of Rust and works it out on the variables of a frame."""

    TOKEN, LEVELS, ENDERS = TOKEN, LEVELS, {",", "..", "..="}
    Misread, Doubts = Wrong, (Wrong, Nonsense)

    def __init__(self, frame: Frame, text: str) -> None:
        self.frame = frame
        super().__init__(text)

    def expression(self):
        return self.binary(0)

    def operand(self):
        return self.cast()

    def combine(self, op: str, left, right):
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
            return value if not isinstance(value, Value) or self.i < len(self.tokens) else Reference(value)
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

    def named(self, name: str):
        if name in ("true", "false"):
            return name == "true"
        found = variable(self.frame, name, self.fields())
        if found is not None:
            return found
        if self.take("("):
            arguments = self.arguments()
            if not last_part(name)[:1].isupper():
                return self.call(name, arguments)
            return Word(last_part(name) + "(" + ", ".join(shown(a) for a in arguments) + ")")
        if last_part(name)[:1].isupper():
            return Word(last_part(name))
        raise Wrong("there is no variable %s in this frame" % name)

    def fields(self):
        """The fields that are named of what has just been named; of a method of it nothing is known but that it reads all."""
        path, i = (), self.i
        while self.tokens[i : i + 1] == [("op", ".")] and i + 1 < len(self.tokens) and self.tokens[i + 2 : i + 3] != [("op", "(")]:
            path += tuple(self.tokens[i + 1][1].split("."))
            i += 2
        return path

    def call(self, name: str, arguments):
        return call(self.frame, name, arguments)


def variable(frame: Frame, name: str, path):
    """A variable that is in sight, of which the fields of a path are to be read."""
    found = frame.variable(name)
    if found is not None:
        why = frame.unset(found) or moved.asked(frame.moved(found), path)
        if why:
            raise Wrong("%s is not readable here: %s" % (name, why))
        return found
    found = frame.static(name)
    paths = [name] if "::" in name else []
    paths += [crate_of(frame) + "::" + name, frame.function.rsplit("::", 1)[0] + "::" + name]
    for path in paths:
        if found is None:
            found = frame.process.global_variable(path)
    return found


def crate_of(frame: Frame):
    return frame.function.split("::", 1)[0].lstrip("<")


def unescaped(text: str):
    return re.sub(r"\\(x..|u\{[0-9a-fA-F]+\}|.)", lambda m: {
        "n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(m.group(1)) or (
            chr(int(m.group(1).strip("xu{}"), 16)) if len(m.group(1)) > 1 else m.group(1)), text)


def functions(frame: Frame, name: str):
    """Functions that a name may mean here: by its whole path, or by the end of it."""
    found = {f.address: f for f in frame.process.functions(last_part(name)) if f.name == name or f.name.endswith("::" + name)}
    exact = [f for f in found.values() if f.name in (name, crate_of(frame) + "::" + name)]
    return exact or list(found.values())


def call(frame: Frame, name: str, arguments):
    """Runs a function of the program whose arguments and result are plain numbers or references."""
    found = functions(frame, name)
    if len(found) != 1:
        raise Wrong("there is no function %s" % name if not found else "%s may be %s" % (name, " or ".join(sorted(f.name for f in found))))
    takes, gives = found[0].signature()
    if len(takes) != len(arguments):
        raise Wrong("%s takes %d arguments, not %d" % (found[0].name, len(takes), len(arguments)))
    numbers = [passed(of, argument, found[0].name) for of, argument in zip(takes, arguments)]
    if not simple(gives) and not is_unit(gives):
        raise Wrong("%s gives a %s, and only functions of numbers can be called; step into a call instead" % (found[0].name, last_part(gives.name)))
    try:
        value = frame.call(found[0], numbers)
    except Nonsense as wrong:
        raise Wrong("calling %s failed: %s" % (found[0].name, wrong)) from wrong
    return value if simple(gives) else Word("()")


def simple(of: RustType):
    return of.code in ("bool", "char", "wide", "int", "float") and of.size in (1, 2, 4, 8)


def passed(of, argument, function):
    """An argument as a number; of a pointer its address."""
    if of.code == "pointer":
        if isinstance(argument, Reference):
            return argument.value.address
        if isinstance(argument, Value) and argument.type.code == "pointer":
            return argument.unsigned()
    if not simple(of):
        raise Wrong("%s takes a %s, and only functions of numbers and references can be called; step into a call instead" % (function, last_part(of.name)))
    return arithmetic(argument)


def evaluate(text: str, frame: Frame):
    """The value of an expression in a frame: one of the program's, or a number, truth or text that was worked out; None for ()."""
    try:
        value = Evaluator(frame, text).whole()
        if isinstance(value, Found):
            value = value.whole()
        if isinstance(value, Reference):
            value = value.value.address_of()
    except Nonsense as wrong:
        raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong) from wrong
    if not isinstance(value, Word):
        return value
    if value == "()":
        return None
    raise Wrong("there is no variable %s in this frame" % value)
