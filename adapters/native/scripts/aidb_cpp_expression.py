"""Expressions of C++ worked out on the values of the library as they are shown:
m["k"], v.size(), *opt, s == "x". No operator of the program's is run, so what the
program has not instantiated can be asked too. What is not understood here is
Foreign: it is the debugger's own to read."""

import re

from aidb_cpp_meaning import Literal, alternative, at, character, characters, combine, element, field, plain, shape_of, target_of, truth
from aidb_cpp_methods import FUNCTIONS, METHODS
from aidb_cpp_numbers import Address, Foreign, Int, Real, Wrong, arithmetic, literal, number
from aidb_cpp_values import Held, Nonsense, Sequence, Variant

TOKEN = re.compile(r"""\s*(?:
    (?P<number>0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+[uUlL]*|(?:\d[\d']*\.?[\d']*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*)
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\]|\\.)*"s?v?)
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\]|\\.[^']*)')
  | (?P<get>std::(?:get|holds_alternative)\s*<)
  | (?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
  | (?P<op>->|&&|\|\||<=|>=|==|!=|<<|>>|[-+*/%&|^~<>!.,()\[\]?:])
)""", re.VERBOSE)

LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Evaluator:
    def __init__(self, scope, text):
        self.scope, self.text, self.tokens, self.i = scope, text, [], 0
        text, at = text.strip(), 0
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m or m.end() == at:
                raise Foreign("%r is not understood" % text[at:][:20])
            self.tokens.append((m.lastgroup, m.group(m.lastgroup)))
            at = m.end()
            if m.lastgroup == "get":
                at = self.argument(text, at)

    def argument(self, text, at):
        """The template argument of std::get, up to its closing bracket."""
        depth, start = 1, at
        while at < len(text) and depth:
            depth += (text[at] == "<") - (text[at] == ">")
            at += 1
        self.tokens.append(("type", text[start:at - 1].strip()))
        return at

    def peek(self):
        return self.tokens[self.i] if self.i < len(self.tokens) else (None, None)

    def take(self, *wanted):
        kind, text = self.peek()
        if kind == "op" and text in wanted:
            self.i += 1
            return text
        return None

    def need(self, wanted):
        if not self.take(wanted):
            raise Foreign("%r is missing" % wanted)

    def whole(self):
        value = self.choice()
        if self.i < len(self.tokens):
            raise Foreign("%r is not understood" % self.peek()[1])
        return value

    def choice(self):
        value = self.binary(0)
        if not self.take("?"):
            return value
        yes = self.choice()
        self.need(":")
        no = self.choice()
        return yes if truth(value) else no

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while True:
            op = self.take(*LEVELS[level])
            if op is None:
                return left
            if op in ("&&", "||"):
                left = self.logical(op, left, level)
            else:
                left = combine(op, left, self.binary(level + 1))

    def logical(self, op, left, level):
        """The right side counts only where the left does not decide: it may be what the left guards against."""
        left = truth(left)
        try:
            right = self.binary(level + 1)
            return truth(right) if left == (op == "&&") else left
        except (Wrong, Nonsense):
            if left == (op == "&&"):
                raise
            self.skip(level)
            return left

    def skip(self, level):
        """Goes past the rest of an operand that does not count."""
        depth, enders = 0, {op for ops in LEVELS[:level + 1] for op in ops} | {"?", ":", ","}
        while self.i < len(self.tokens):
            kind, text = self.tokens[self.i]
            if kind == "op" and depth == 0 and (text in enders or text in ")]"):
                return
            depth += (text in ("(", "[")) - (text in (")", "]")) if kind == "op" else 0
            self.i += 1

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

    def arguments(self):
        given = []
        while not self.take(")"):
            given.append(self.choice())
            if not self.take(","):
                self.need(")")
                break
        return given

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

    def get(self, text):
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
