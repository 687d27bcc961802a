def price(item, discount):
    cents = item["cents"]
    cents -= cents * discount // 100
    return cents


def total(order):
    sum = 0
    for item in order["items"]:
        sum += price(item, order["discount"])
    return sum


orders = [
    {"id": 1, "discount": 0, "items": [{"cents": 250}, {"cents": 300}]},
    {"id": 2, "discount": 150, "items": [{"cents": 420}, {"cents": 250}]},
]
for order in orders:
    print(order["id"], total(order), flush=True)
