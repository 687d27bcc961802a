"""What somebody is about to buy."""

MENU = {"tea": 250, "cake": 420}


def discount(cents, count):
    """Every third one is free."""
    free = count // 3
    return cents * (count - free)  # @mark discount


class Cart:
    def __init__(self, **items):
        self.items = items

    def total(self):
        cents = sum(MENU[name] * count for name, count in self.items.items())
        return cents  # @mark total
