"""Numbers as C++ works with them: each with its type, promoted, converted and
wrapped as the language does."""

import struct


class Wrong(Exception):
    """An expression that is understood and has no value, and why."""


class Foreign(Exception):
    """An expression that only the debugger itself can read."""


class Int:
    """A whole number of so many bits."""

    def __init__(self, value, bits=32, signed=True, char=False):
        value &= (1 << bits) - 1
        self.value = value - (1 << bits) if signed and value >> (bits - 1) else value
        self.bits, self.signed, self.char = bits, signed, char

    def promoted(self):
        return self if self.bits >= 32 else Int(self.value)


class Real:
    def __init__(self, value, bits=64):
        self.value = struct.unpack("<f", struct.pack("<f", value))[0] if bits == 32 and abs(value) < 3.5e38 else value
        self.bits = bits


class Address:
    """A pointer: where it leads, and the type of what is there; None is nullptr's."""

    def __init__(self, value, of=None, v=None):
        self.value, self.of, self.v = value, of, v


def literal(text: str):
    """A number as it is written."""
    text = text.replace("'", "")
    low = text.lower()
    if not low.startswith("0x") and any(c in low for c in ".e"):
        return Real(float(low.rstrip("fl")), 32 if low.endswith("f") else 64)
    digits = low.rstrip("ul")
    suffix = low[len(digits):]
    value = int(digits, 0) if digits[:2] in ("0x", "0b") else int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)
    decimal = not digits.startswith("0")
    for bits in (32, 64):
        if bits == 32 and "l" in suffix:
            continue
        if "u" not in suffix and value < 1 << (bits - 1):
            return Int(value, bits)
        if ("u" in suffix or not decimal) and value < 1 << bits:
            return Int(value, bits, False)
    raise Foreign("a number of more than 64 bits")


def number(x):
    if isinstance(x, bool):
        return Int(int(x))
    if isinstance(x, (Int, Real)):
        return x
    raise Foreign("it is no number")


def common(a, b):
    """Two numbers after the usual conversions, and what makes one of their kind."""
    a, b = number(a), number(b)
    if isinstance(a, Real) or isinstance(b, Real):
        bits = max(x.bits if isinstance(x, Real) else 0 for x in (a, b))
        return a.value, b.value, lambda n: Real(n, bits)
    a, b = a.promoted(), b.promoted()
    bits = max(a.bits, b.bits)
    signed = not any(x.bits == bits and not x.signed for x in (a, b))
    return Int(a.value, bits, signed).value, Int(b.value, bits, signed).value, lambda n: Int(n, bits, signed)


def divided(op: str, a, b, real):
    if b == 0 and not real:
        raise Wrong("division by zero")
    if real:
        if op == "%":
            raise Wrong("% is not for numbers with a point")
        return a / b if b else float("nan") if a == 0 or a != a else float("inf") * (1 if a > 0 else -1)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if op == "/" else a - b * quotient


def arithmetic(op: str, a, b):
    if op in ("<<", ">>"):
        left, by = number(a), number(b)
        if isinstance(left, Real) or isinstance(by, Real):
            raise Wrong("%s is for whole numbers" % op)
        left = left.promoted()
        if not 0 <= by.value < left.bits:
            raise Wrong("a shift by %d of %d bits has no value" % (by.value, left.bits))
        return Int(left.value << by.value if op == "<<" else left.value >> by.value, left.bits, left.signed)
    x, y, make = common(a, b)
    real = isinstance(make(0), Real)
    if op in "/%":
        return make(divided(op, x, y, real))
    if op in "&|^":
        if real:
            raise Wrong("%s is for whole numbers" % op)
        return make({"&": x & y, "|": x | y, "^": x ^ y}[op])
    return make({"+": x + y, "-": x - y, "*": x * y}[op])


def compared(op: str, x, y):
    return {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def comparison(op: str, a, b):
    x, y, _ = common(a, b)
    return compared(op, x, y)
