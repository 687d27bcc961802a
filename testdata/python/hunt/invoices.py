# Invoices prices the orders of a shop. The total of the last invoice is wrong.
import collections

Order = collections.namedtuple("Order", "customer country lines")
RATES = {"DE": 19, "FR": 20, "US": 0}
LIST = {"lamp": 4000, "desk": 12000, "chair": 6500, "cable": 300}


class Catalogue:
    """What things cost, before and with tax."""

    def __init__(self, prices):
        self.prices = prices
        self.asked = 0

    def net(self, article):
        self.asked += 1
        return self.prices[article]


class Discounts:
    def __init__(self):
        self.levels = {}

    def grant(self, customer, percent):
        self.levels[customer] = percent

    def of(self, customer):
        return self.levels.get(customer, 0)


class Prices:
    """Computes the price of an article for a customer, and keeps it."""

    def __init__(self, catalogue, discounts):
        self.catalogue, self.discounts = catalogue, discounts
        self.kept = {}
        self.hits = 0

    def of(self, article, customer, country):  #@mark of
        key = (article, customer)
        if key in self.kept:
            self.hits += 1
            found = self.kept[key]
            return found  #@mark found
        net = self.catalogue.net(article)
        net -= net * self.discounts.of(customer) // 100
        tax = net * RATES[country] // 100
        price = net + tax  #@mark price
        self.kept[key] = price  #@mark kept
        return price


class Line:
    def __init__(self, article, count):
        self.article, self.count = article, count
        self.price = None


class Invoice:
    def __init__(self, order):
        self.order = order
        self.lines = [Line(article, count) for article, count in order.lines]
        self.total = 0

    def fill(self, prices):
        for line in self.lines:
            line.price = prices.of(line.article, self.order.customer, self.order.country)  #@mark line
            self.total += line.price * line.count

    def untaxed(self):
        return RATES[self.order.country] == 0


def orders():
    yield Order("ann", "DE", [("lamp", 2), ("desk", 1)])
    yield Order("bob", "FR", [("chair", 4)])
    yield Order("cy", "US", [("cable", 10), ("lamp", 1)])
    yield Order("ann", "FR", [("cable", 3)])
    yield Order("bob", "FR", [("lamp", 1), ("chair", 2)])
    yield Order("ann", "US", [("desk", 2), ("chair", 1)])  # she has moved


def main():
    discounts = Discounts()
    discounts.grant("ann", 5)
    prices = Prices(Catalogue(LIST), discounts)
    done = []
    for order in orders():
        invoice = Invoice(order)
        invoice.fill(prices)
        done.append(invoice)
    last = done[-1]
    desk = last.lines[0]
    print(last.untaxed(), desk.price, "and not", LIST["desk"] * 95 // 100)  #@mark invoices


main()
