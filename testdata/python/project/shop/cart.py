class Cart:
    kind = "cart"

    def __init__(self):
        self.items = []

    def add(self, n):
        self.items.append(n)

    def sum(self):
        """The price of all."""
        return sum(self.items)  # @mark sum

    @staticmethod
    def of(items):
        cart = Cart()
        for item in items:
            cart.add(item)
        return cart


def total(items, *, tax=0):
    cart = Cart.of(items)  # @mark total
    return cart.sum() + tax  # @mark total-return
