import os
import unittest

import faulty


def discount(order, percent):
    kept = 100 - percent
    return sum(order.prices) * kept / 10  #@mark discount


def test_discount():
    order = faulty.orders()[0]
    assert discount(order, 25) == 31.5  #@mark pytest


def test_mean():
    faulty.mean(faulty.orders()[1])


def test_fine():
    assert faulty.mean(faulty.orders()[0]) == 21


def test_flaky():
    count = os.path.join(os.path.dirname(__file__), "count")
    with open(count, "a") as file:
        file.write(".")
    assert os.path.getsize(count) != 3  #@mark flaky


class ShopTest(unittest.TestCase):
    def test_prices(self):
        order = faulty.orders()[0]
        self.assertEqual(discount(order, 50), 21)  #@mark unittest
