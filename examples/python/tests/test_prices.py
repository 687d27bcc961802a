from shop.prices import Cart


def test_total():
    assert Cart({"tea": 3}).total({"tea": 250}) == 700
