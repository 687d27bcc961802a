import pytest

from shop.cart import Cart, discount


@pytest.fixture
def cart():
    return Cart(tea=1, cake=1)


def test_total(cart):
    assert cart.total() == 670


@pytest.mark.parametrize("count, want", [(1, 250), (3, 500), (7, 1250)])
def test_discount(count, want):
    assert discount(250, count) == want


class TestMany:
    def test_teas(self):
        assert Cart(tea=4).total() == 1000

    def test_cakes(self):
        assert Cart(cake=2).total() == 840
