"""What reading an expression is in every language: its words one after the other, and
operators by how tightly they bind."""

import re
from typing import Any, Dict, List, Optional, Set, Tuple, Type


class Reader:
    """Reads an expression once from left to right and works it out on the way.

    A language gives TOKEN, LEVELS (from the loosest to the tightest), ENDERS (what ends an
    operand besides operators), the errors Misread and Doubts (those of working it out), and
    expression, operand, combine and truth.
    """

    TOKEN: "re.Pattern[str]"
    LEVELS: List[List[str]]
    ENDERS: Set[str]
    Misread: Type[Exception]
    Doubts: Tuple[Type[Exception], ...]
    binds: Dict[str, int]

    def __init_subclass__(cls) -> None:
        cls.binds = {op: level for level, ops in enumerate(cls.LEVELS) for op in ops}

    def __init__(self, text):
        self.text, self.i = text, 0
        self.tokens: List[Tuple[Optional[str], str]] = []
        text, at = text.strip(), 0
        while at < len(text):
            m = self.TOKEN.match(text, at)
            if not m or m.end() == at:
                raise self.Misread("%r is not understood here" % text[at:].strip()[:20])
            self.tokens.append((m.lastgroup, m.group(m.lastgroup)))
            at = self.beyond(m, text)

    def expression(self) -> Any:
        raise NotImplementedError

    operand = expression

    def combine(self, op: str, left: Any, right: Any) -> Any:
        raise NotImplementedError

    def truth(self, value: Any) -> bool:
        raise NotImplementedError

    def beyond(self, m, _text):
        """Where the next word begins."""
        return m.end()

    def peek(self):
        return self.tokens[self.i] if self.i < len(self.tokens) else (None, None)

    def take(self, *wanted):
        kind, text = self.peek()
        if kind == "op" and text in wanted:
            self.i += 1
            return text
        return None

    def need(self, wanted) -> None:
        if not self.take(wanted):
            raise self.Misread("%r is missing in %r" % (wanted, self.text))

    def whole(self):
        value = self.expression()
        if self.i < len(self.tokens):
            raise self.Misread("%r is not understood here" % self.peek()[1])
        return value

    def arguments(self):
        given = []
        while not self.take(")"):
            given.append(self.expression())
            if not self.take(","):
                self.need(")")
                break
        return given

    def binary(self, level: int):
        left = self.operand()
        while True:
            kind, op = self.peek()
            binds = self.binds.get(op, -1) if kind == "op" else -1
            if binds < level:
                return left
            self.i += 1
            if op in ("&&", "||"):
                left = self.logical(op, left, binds)
            else:
                left = self.combine(op, left, self.binary(binds + 1))

    def logical(self, op: str, left, level: int):
        """The right side counts only where the left does not decide: it may be what the left guards against."""
        left, start = self.truth(left), self.i
        try:
            right = self.binary(level + 1)
            return self.truth(right) if left == (op == "&&") else left
        except self.Doubts:
            if left == (op == "&&"):
                raise
            self.i = start
            self.skip(level)
            return left

    def skip(self, level: int) -> None:
        """Goes past an operand that does not count."""
        depth, enders = 0, {op for ops in self.LEVELS[:level + 1] for op in ops} | self.ENDERS
        while self.i < len(self.tokens):
            kind, text = self.tokens[self.i]
            if kind == "op" and depth == 0 and (text in enders or text in ")]"):
                return
            depth += (text in ("(", "[")) - (text in (")", "]")) if kind == "op" else 0
            self.i += 1
