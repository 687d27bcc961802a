import unittest

from roman import number


class NumberTest(unittest.TestCase):
    def test_subtraction(self):
        self.assertEqual(number("MCMXCIV"), 1994)

    def test_addition(self):
        self.assertEqual(number("XVII"), 17)


if __name__ == "__main__":
    unittest.main()
