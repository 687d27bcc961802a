from decimal import Decimal

from django.test import TestCase

from .models import Order


class OrderTest(TestCase):
    def setUp(self):
        self.order = Order.objects.create(customer="Ada")
        self.order.lines.create(price=Decimal("4.50"), count=2)
        self.order.lines.create(price=Decimal("1.25"), count=4)

    def test_lines(self):
        self.assertEqual(self.order.lines.count(), 2)

    def test_total(self):
        total = self.order.total()
        self.assertEqual(total, Decimal("15.00"))
