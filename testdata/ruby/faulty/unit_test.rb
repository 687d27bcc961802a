require "test/unit"
require_relative "faulty"

class UnitTest < Test::Unit::TestCase
  def test_prices
    order = orders.first
    assert_equal 21, order.prices.sum / 4 #@mark unit
  end

  def test_mean_of_none
    mean(orders.last)
  end
end
