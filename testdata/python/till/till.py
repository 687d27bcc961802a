"""A till that takes a cent too many off."""


def total(prices):
    sum = 0
    for price in prices:
        sum += price
    sum -= 1  #@mark off
    return sum
