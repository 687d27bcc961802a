"""Expressions of C++ worked out on the values of the library as they are shown:
m["k"], v.size(), *opt, s == "x". No operator of the program's is run, so what the
program has not instantiated can be asked too. What is not understood here is
Foreign: it is the debugger's own to read."""

import re

from aidb.cpp.meaning import Literal, alternative, at, character, characters, combine, element, field, plain, shape_of, target_of, truth
from aidb.cpp.methods import FUNCTIONS, METHODS
from aidb.cpp.numbers import Address, Foreign, Int, Real, Wrong, arithmetic, literal, number
from aidb.cpp.values import Held, Nonsense, Sequence, Variant
from aidb.expression import Reader

TOKEN = re.compile(r"""\s*(?:
    (?P<number>0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+[uUlL]*|(?:\d[\d']*\.?[\d']*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*)
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\]|\\.)*"s?v?)
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\]|\\.[^']*)')
  | (?P<get>std::(?:get|holds_alternative)\s*<)
  | (?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
  | (?P<op>->|&&|\|\||<=|>=|==|!=|<<|>>|[-+*/%&|^~<>!.,()\[\]?:])
)""", re.VERBOSE)

LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Evaluator(Reader):
    TOKEN, LEVELS, ENDERS = TOKEN, LEVELS, {"?", ":", ","}
    Misread, Doubts = Foreign, (Wrong, Nonsense)

    def __init__(self, scope, text: str) -> None:
        self.scope = scope
        super().__init__(text)

    def beyond(self, m, text: str):
        return self.argument(text, m.end()) if m.lastgroup == "get" else m.end()

    def argument(self, text: str, at):
        """The template argument of std::get, up to its closing bracket."""
        depth, start = 1, at
        while at < len(text) and depth:
            depth += (text[at] == "<") - (text[at] == ">")
            at += 1
        self.tokens.append(("type", text[start:at - 1].strip()))
        return at

    def expression(self):
        return self.choice()

    def operand(self):
        return self.unary()

    def combine(self, op: str, left, right):
        return combine(op, left, right)

    def truth(self, value):
        return truth(value)

    def choice(self):
        value = self.binary(0)
        if not self.take("?"):
            return value
        yes = self.choice()
        self.need(":")
        no = self.choice()
        return yes if truth(value) else no

    def unary(self):
        op = self.take("-", "+", "!", "~", "*", "&")
        if op is None:
            return self.postfix()
        value = self.unary()
        if op == "!":
            return not truth(value)
        if op == "*":
            return target_of(value)
        if op == "&":
            if not hasattr(value, "address") or not hasattr(value, "type"):
                raise Foreign("it has no address")
            return Address(value.address, value.type, value)
        n = number(plain(value))
        if op == "~":
            return arithmetic("^", n, Int(-1))
        return arithmetic("-", Int(0), n) if op == "-" and isinstance(n, Int) else Real(-n.value, n.bits) if op == "-" else arithmetic("+", n, Int(0))

    def postfix(self):
        value = self.primary()
        while True:
            arrow = self.take(".", "->")
            if arrow:
                kind, name = self.peek()
                if kind != "name":
                    raise Foreign("a name is missing behind %s" % arrow)
                self.i += 1
                if self.take("("):
                    value = self.method(value, name, self.arguments(), arrow)
                else:
                    value = field(value, name)
            elif self.take("["):
                index = self.choice()
                self.need("]")
                value = element(value, index)
            else:
                return value

    def method(self, value, name, arguments, arrow):
        known = METHODS.get((name, len(arguments)))
        if arrow == "->":
            value = target_of(value)
        for _ in range(4):
            held = shape_of(value)
            if known and (held is not None or isinstance(value, Literal)):
                try:
                    return known(held if held is not None else value, *arguments)
                except Foreign:  # of what it holds, then
                    pass
            if not isinstance(held, Held) and not (hasattr(value, "type") and value.type.code == "pointer"):
                break
            value = target_of(value)
        if held is not None:
            raise Foreign("%s() of a value of the library" % name)
        return self.scope.call(value, name, [plain(a) for a in arguments])

    def primary(self):
        kind, text = self.peek()
        self.i += 1
        if kind == "number":
            return literal(text)
        if kind == "string":
            return characters(text)
        if kind == "char":
            return character(text)
        if kind == "get":
            return self.get(text)
        if kind == "name":
            return self.named(text)
        if kind == "op" and text == "(":
            value = self.choice()
            self.need(")")
            return value
        raise Foreign("%r is not understood" % text if text else "the expression is not complete")

    def get(self, text: str):
        _, wanted = self.peek()
        self.i += 1
        self.need("(")
        value = self.arguments()[0]
        held = shape_of(value)
        if isinstance(held, Variant):
            return alternative(self.scope, held, wanted, "holds" in text)
        if isinstance(held, Sequence) and wanted.isdigit():
            return at(held, Int(int(wanted)))
        if held is None and wanted in ("0", "1"):  # of a pair
            return field(value, ("first", "second")[int(wanted)])
        raise Foreign("std::get<%s>" % wanted)

    def named(self, name):
        if name in ("true", "false"):
            return name == "true"
        if name in ("nullptr", "NULL"):
            return Address(0)
        if self.take("("):
            make = FUNCTIONS.get(name[5:] if name.startswith("std::") else name)
            if make is None:
                raise Foreign("a call of %s" % name)
            return make(*self.arguments())
        found = self.scope.variable(name)
        if found is None:
            raise Foreign("there is no variable %s" % name)
        return found
