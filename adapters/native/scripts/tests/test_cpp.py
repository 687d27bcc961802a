import struct
import unittest

from aidb.cpp import numbers
from aidb.cpp.numbers import Int, Real, Wrong
from aidb.cpp.words import quoted
from aidb.debugger import x86_64


class Numbers(unittest.TestCase):
    def test_literals(self):
        for text, value, bits, signed in (
            ("1", 1, 32, True), ("0x80000000", 1 << 31, 32, False), ("2147483648", 1 << 31, 64, True), ("1u", 1, 32, False), ("1ul", 1, 64, False), ("017", 15, 32, True),
            ("0b11", 3, 32, True), ("1'000", 1000, 32, True),
        ):
            with self.subTest(text):
                n = numbers.literal(text)
                self.assertEqual((n.value, n.bits, n.signed), (value, bits, signed))

    def test_arithmetic(self):
        for op, a, b, want in (
            ("+", Int((1 << 31) - 1), Int(1), -(1 << 31)), ("-", Int(1, 32, False), Int(2), (1 << 32) - 1), ("/", Int(-7), Int(2), -3), ("%", Int(-7), Int(2), -1),
            ("<<", Int(1), Int(4), 16), (">>", Int(-8), Int(1), -4), ("*", Real(1.5), Int(2), 3.0), ("^", Int(6), Int(3), 5),
        ):
            with self.subTest("%s %s %s" % (a.value, op, b.value)):
                self.assertEqual(numbers.arithmetic(op, a, b).value, want)

    def test_that_have_no_value(self):
        for op, a, b in (("/", Int(1), Int(0)), ("<<", Int(1), Int(32)), ("%", Real(1.0), Int(2)), ("&", Real(1.0), Int(2))):
            with self.assertRaises(Wrong):
                numbers.arithmetic(op, a, b)

    def test_comparison(self):
        self.assertFalse(numbers.comparison("<", Int(-1), Int(1, 32, False)))  # both are without a sign
        self.assertTrue(numbers.comparison("<", Int(-1), Int(1)))


class Texts(unittest.TestCase):
    def test_quoted(self):
        self.assertEqual(quoted(b'a"\n\\'), '"a\\"\\n\\\\"')
        self.assertEqual(quoted("grü".encode()[:-1], more=1), '"gr"...+1 more')


class Registers(unittest.TestCase):
    def given(self, size, found, rust, **registers):
        read = registers.get
        return x86_64.given(x86_64.Registers(read, lambda name: struct.pack("<d", read(name))), size, found, rust)

    def test_of_c(self):
        self.assertEqual(self.given(12, [(0, 8, False), (8, 4, False)], False, rax=1, rdx=2), struct.pack("<QI", 1, 2))
        self.assertEqual(self.given(16, [(0, 8, True), (8, 8, False)], False, xmm0=1.5, rax=2), struct.pack("<dQ", 1.5, 2))

    def test_of_rust(self):
        self.assertEqual(self.given(8, [(0, 1, False), (4, 4, False)], True, rax=1, rdx=7), struct.pack("<B3xI", 1, 7))
        self.assertEqual(self.given(3, [(0, 1, False), (1, 1, False), (2, 1, False)], True, rax=0x030201), b"\1\2\3")

    def test_spread(self):
        with self.assertRaises(x86_64.Spread):
            self.given(24, [(0, 8, False)], False)


if __name__ == "__main__":
    unittest.main()
