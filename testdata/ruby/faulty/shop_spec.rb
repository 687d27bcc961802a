require_relative "faulty"

def discount(order, percent)
  kept = 100 - percent
  order.prices.sum * kept / 10.0
end

RSpec.describe "a shop" do
  it "gives a discount" do
    order = orders.first
    expect(discount(order, 25)).to eq(31.5) #@mark rspec
  end

  it "has a mean" do
    mean(orders.last)
  end

  it "is fine" do
    expect(mean(orders.first)).to eq(21)
  end
end
