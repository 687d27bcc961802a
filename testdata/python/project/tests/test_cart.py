import unittest

from shop.cart import total


def test_total():
    assert total([1, 2]) == 3


def test_same():
    assert total([]) == 0


class TestCart:
    def test_wrong(self):
        result = total([2, 2])
        assert result == 5  # @mark wrong

    def test_same(self):
        assert total([1]) == 1


class TestUnit(unittest.TestCase):
    def test_unit(self):
        self.assertEqual(total([3]), 3)

    def test_unequal(self):
        self.assertEqual(total([3]), 4)  # @mark unequal

    def test_skipped(self):
        self.skipTest("not now")
