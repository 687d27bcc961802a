from decimal import Decimal

from django.db import models


class Order(models.Model):
    customer = models.CharField(max_length=50)

    def total(self):
        total = Decimal(0)
        for line in self.lines.order_by("pk"):
            total += line.price * line.count
        return total


class Line(models.Model):
    order = models.ForeignKey(Order, related_name="lines", on_delete=models.CASCADE)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    count = models.IntegerField(default=1)
