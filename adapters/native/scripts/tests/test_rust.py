import struct
import unittest

from aidb.rust import children, expression, words
from aidb.rust.library import byte_text, escaped, lasting, real
from aidb.rust.meaning import Wrong, plain, shown
from aidb.rust.memory import last_part
from aidb.rust.panic import Place, fails, meaning
from aidb.rust.whole import whole
from tests import fake


def word(v):
    return words.Words().of(v)


class Numbers(unittest.TestCase):
    def test_scalars(self):
        p = fake.Process()
        for of, data, want in (
            (fake.U8, b"\xff", "255"), (fake.I8, b"\xff", "-1"), (fake.U32, b"\xff" * 4, "4294967295"), (fake.I32, b"\xff" * 4, "-1"),
            (fake.F64, struct.pack("<d", 1.5), "1.5"), (fake.BOOL, b"\1", "true"), (fake.CHAR, "ß".encode("utf-32-le"), "'ß'"),
            (fake.CHAR, b"\0\0\xff\0", words.UNREADABLE),
        ):
            self.assertEqual(word(p.value(of, data)), want)

    def test_as_rust_writes_them(self):
        for text, bits, want in (
            ("1", 64, "1.0"), ("0.1", 64, "0.1"), ("0.10000000149011612", 32, "0.1"), ("1e+21", 64, "1e21"), ("-NaN", 64, "NaN"), ("inf", 64, "inf"),
        ):
            self.assertEqual(real(text, bits), want)

    def test_durations(self):
        for seconds, nanos, want in ((0, 0, "0ns"), (0, 5, "5ns"), (0, 1500, "1.5µs"), (0, 2000000, "2ms"), (1, 500000000, "1.5s")):
            self.assertEqual(lasting(seconds, nanos), want)


class Texts(unittest.TestCase):
    def test_escapes(self):
        self.assertEqual(escaped('a"\n\x7fß', '"'), '"a\\"\\n\\u{7f}ß"')
        self.assertEqual(byte_text(b'a"\xff\n'), 'b"a\\"\\xff\\n"')

    def test_string(self):
        p = fake.Process()
        self.assertEqual(word(p.value(fake.STRING, fake.string(p, "grün"))), '"grün"')

    def test_str(self):
        p = fake.Process()
        self.assertEqual(word(p.value(fake.STR, struct.pack("<QQ", p.put(b"hello"), 5))), '"hello"')

    def test_long_ones_are_cut_between_letters(self):
        p = fake.Process()
        text = "ß" * 2000
        told = words.Words()
        self.assertRegex(told.of(p.value(fake.STRING, fake.string(p, text))), r'^"ß+"\.\.\.\+\d+ more$')
        self.assertTrue(told.cut)

    def test_a_length_that_cannot_be(self):
        p = fake.Process()
        self.assertEqual(word(p.value(fake.STRING, struct.pack("<QQQ", 1 << 60, p.put(b"x"), 1 << 59))), words.UNREADABLE)

    def test_no_memory(self):
        p = fake.Process()
        self.assertEqual(word(p.value(fake.STR, struct.pack("<QQ", 8, 5))), words.UNREADABLE)


class Containers(unittest.TestCase):
    def setUp(self):
        self.p = p = fake.Process()
        self.numbers = p.value(fake.vec_of(fake.I32), fake.vec(p, [struct.pack("<i", n) for n in (1, -2, 3)]), "numbers")
        self.frame = fake.Frame(p, "shop::main", numbers=self.numbers, n=p.value(fake.U32, struct.pack("<I", 7), "n"))

    def test_vec(self):
        self.assertEqual(word(self.numbers), "size=3 [1, -2, 3]")

    def test_a_length_over_the_capacity(self):
        self.assertEqual(word(self.p.value(fake.vec_of(fake.I32), fake.vec(self.p, [b"\0" * 4] * 3, capacity=2))), words.UNREADABLE)

    def test_children(self):
        parts = children.Children(self.numbers)
        self.assertEqual(parts.shown(), 3)
        self.assertEqual([parts.part(i).name for i in range(3)], ["[0]", "[1]", "[2]"])
        self.assertEqual(parts.rank_of("[2]"), 2)
        self.assertIsNone(parts.part(3))

    def test_enum(self):
        of = fake.option_of(fake.I32)
        self.assertEqual(word(self.p.value(of, b"\1" + bytes(7) + struct.pack("<i", 5))), "Some(5)")
        self.assertEqual(word(self.p.value(of, bytes(12))), "None")

    def test_hash_of_all(self):
        same = self.p.value(fake.vec_of(fake.I32), fake.vec(self.p, [struct.pack("<i", n) for n in (1, -2, 3)], capacity=9))
        other = self.p.value(fake.vec_of(fake.I32), fake.vec(self.p, [struct.pack("<i", n) for n in (1, -2, 4)]))
        self.assertEqual(whole(self.numbers), whole(same))
        self.assertNotEqual(whole(self.numbers), whole(other))

    def test_expressions(self):
        for text, want in (
            ("numbers[0] + n", "8"), ("numbers.len()", "3"), ("numbers.contains(3)", "true"), ("numbers.first() == Some(1)", "true"),
            ("numbers.get(9).is_none()", "true"),
            ("!n", "4294967288"), ("-7 / 2", "-3"), ("-7 % 2", "-1"), ("n as f64 / 2.0", "3.5"), ("300 as u8", "44"), ("200 as i8", "-56"),
            ("n > 3 && numbers[1] < 0", "true"),
            ("numbers.len() > 9 && numbers[9] == 1", "false"), ('"grün".len()', "5"), ("1 << 4 | 1", "17"), ("(1 + 2) * 3", "9"),
        ):
            with self.subTest(text):
                self.assertEqual(shown(plain(expression.evaluate(text, self.frame))), want)

    def test_expressions_that_have_no_value(self):
        for text, why in (
            ("numbers[3]", "index 3 is out of bounds: the length is 3"), ("nothing", "there is no variable nothing in this frame"), ("n / 0", "division by zero"),
            ("n.x", "there is no field x"), ("n +", "n \\+"), ("price(n)", "there is no function price"), ("numbers.sort()", "methods of Rust cannot be called"),
        ):
            with self.subTest(text), self.assertRaisesRegex(Wrong, why):
                expression.evaluate(text, self.frame)


class Names(unittest.TestCase):
    def test_last_part(self):
        for name, want in (("a::Option<b::C>::Some<b::C>", "Some"), ("i32", "i32"), ("<A as B>::f", "f"), ("a::F<fn() -> b::C>", "F")):
            self.assertEqual(last_part(name), want)


class Panics(unittest.TestCase):
    LIBRARY, HARNESS = "/rustc/1/library/core/src/panicking.rs", Place("test::run_test", "", 0)

    def test_of_a_test(self):
        said = meaning([Place("core::panicking::panic", self.LIBRARY, 1), Place("shop::tests::sells", "/w/src/lib.rs", 9), self.HARNESS])
        self.assertEqual(said, {"caught": False, "test": {"name": "shop::tests::sells", "file": "/w/src/lib.rs", "line": 9, "expects": None}})

    def test_that_is_caught(self):
        said = meaning([Place("shop::risky", "/w/src/lib.rs", 3), Place("std::panic::catch_unwind<f>", self.LIBRARY, 1), Place("shop::main", "/w/src/main.rs", 5)])
        self.assertTrue(said["caught"])

    def test_an_error_that_leaves_the_test(self):
        test = Place("shop::tests::sells", "/w/src/lib.rs", 9)
        self.assertTrue(fails(iter([test, Place("core::ops::function::FnOnce::call_once", self.LIBRARY, 1), self.HARNESS]), False))
        self.assertFalse(fails(iter([Place("shop::inner", "/w/src/lib.rs", 3), test, self.HARNESS]), False))


if __name__ == "__main__":
    unittest.main()
