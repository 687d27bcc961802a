class Cart
  def initialize(prices)
    @prices = prices
  end

  def total(discount)
    sum = @prices.sum
    sum - sum * discount
  end
end

cart = Cart.new([10, 20, nil])
puts cart.total(0.1)
