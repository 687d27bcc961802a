import unittest

from till import total


class TillTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([3, 4, 5]), 12)
