"""What the carts of a shop cost."""


class Cart:
    def __init__(self, items):
        self.items = items

    def total(self, prices):
        cents = 0
        for name, count in self.items.items():
            cents += prices[name] * count
        return cents


def main():
    prices = {"tea": 250, "cake": 420}
    carts = [
        Cart({"tea": 2}),
        Cart({"cake": 1, "Tea": 1}),
        Cart({"cake": 3}),
    ]

    # A name that the price list has not is the end of the program.
    for cart in carts:
        print("to pay:", cart.total(prices), flush=True)


if __name__ == "__main__":
    main()
