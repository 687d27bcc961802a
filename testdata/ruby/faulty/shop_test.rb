require "minitest/autorun"
require_relative "faulty"

def discount(order, percent)
  kept = 100 - percent
  order.prices.sum * kept / 10.0 #@mark discount
end

class ShopTest < Minitest::Test
  def test_discount
    order = orders.first
    assert_equal 31.5, discount(order, 25) #@mark minitest
  end

  def test_mean
    mean(orders.last)
  end

  def test_fine
    assert_equal 21, mean(orders.first)
  end

  def test_raises
    assert_raises(ZeroDivisionError) { mean(orders.last) }
  end
end
