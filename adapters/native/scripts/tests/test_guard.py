import os
import struct
import tempfile
import unittest

from aidb import guard as guards
from aidb.guard import LEFT_OUT, SIZE, Guard
from aidb.rust import children, words
from tests import fake


class Notes(unittest.TestCase):
    def test_what_is_being_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file, guard = os.path.join(folder, "reading"), Guard()
            with open(file, "wb") as f:
                f.truncate(SIZE)

            def noted():
                with open(file, "rb") as f:
                    return f.read().split(b"\0")[0].decode()

            guard.begin(file, [])
            with guard.reading("Outer<ß>"):
                with guard.reading("Inner"):
                    self.assertEqual(noted(), "Inner")
                self.assertEqual(noted(), "Outer<ß>")
            self.assertEqual(noted(), "")
            guard.enter("x" * 2 * SIZE)
            self.assertEqual(noted(), "x" * (SIZE - 1))

    def test_without_a_file(self):
        guard = Guard()
        with guard.reading("T"):
            self.assertEqual(guard.names, [])


class LeftOut(unittest.TestCase):
    def setUp(self):
        guards.guard.left_out = frozenset(["Deadly"])

    def tearDown(self):
        guards.guard.left_out = frozenset()

    def test_within_another(self):
        of = fake.record("a::Held", ("inner", fake.record("Deadly", ("n", fake.I32))), ("k", fake.I32))
        v = fake.Process().value(of, struct.pack("<ii", 2, 3))
        self.assertEqual(words.Words().of(v), "Held { inner: %s, k: 3 }" % LEFT_OUT)
        self.assertEqual(children.Children(v.member("inner")).shown(), 0)
        self.assertEqual(children.Children(v).shown(), 2)


if __name__ == "__main__":
    unittest.main()
