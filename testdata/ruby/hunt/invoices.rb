# Invoices prices the orders of a shop. The total of the last invoice is wrong.
Order = Struct.new(:customer, :country, :lines)
RATES = { "DE" => 19, "FR" => 20, "US" => 0 }.freeze
LIST = { "lamp" => 4000, "desk" => 12_000, "chair" => 6500, "cable" => 300 }.freeze

# What things cost before tax.
class Catalogue
  def initialize(prices)
    @prices = prices
    @asked = 0
  end

  def net(article)
    @asked += 1
    @prices.fetch(article)
  end
end

class Discounts
  def initialize
    @levels = Hash.new(0)
  end

  def grant(customer, percent)
    @levels[customer] = percent
  end

  def of(customer)
    @levels[customer]
  end
end

# Computes the price of an article for a customer, and keeps it.
class Prices
  def initialize(catalogue, discounts)
    @catalogue, @discounts = catalogue, discounts
    @kept = {}
    @hits = 0
  end

  def of(article, customer, country) #@mark of
    key = [article, customer]
    if @kept.key?(key)
      @hits += 1
      found = @kept[key]
      return found #@mark found
    end
    net = @catalogue.net(article)
    net -= net * @discounts.of(customer) / 100
    tax = net * RATES[country] / 100
    price = net + tax #@mark price
    @kept[key] = price #@mark kept
    price
  end
end

class Line
  attr_reader :article, :count
  attr_accessor :price

  def initialize(article, count)
    @article, @count = article, count
  end
end

class Invoice
  attr_reader :lines, :total

  def initialize(order)
    @order = order
    @lines = order.lines.map { |article, count| Line.new(article, count) }
    @total = 0
  end

  def fill(prices)
    @lines.each do |line|
      line.price = prices.of(line.article, @order.customer, @order.country) #@mark line
      @total += line.price * line.count
    end
  end

  def untaxed?
    RATES[@order.country].zero?
  end
end

def orders
  yield Order.new("ann", "DE", [["lamp", 2], ["desk", 1]])
  yield Order.new("bob", "FR", [["chair", 4]])
  yield Order.new("cy", "US", [["cable", 10], ["lamp", 1]])
  yield Order.new("ann", "FR", [["cable", 3]])
  yield Order.new("bob", "FR", [["lamp", 1], ["chair", 2]])
  yield Order.new("ann", "US", [["desk", 2], ["chair", 1]]) # she has moved
end

def main
  discounts = Discounts.new
  discounts.grant("ann", 5)
  prices = Prices.new(Catalogue.new(LIST), discounts)
  done = []
  orders do |order|
    invoice = Invoice.new(order)
    invoice.fill(prices)
    done << invoice
  end
  last = done.last
  desk = last.lines[0]
  puts "#{last.untaxed?} #{desk.price} and not #{LIST["desk"] * 95 / 100}" #@mark invoices
end

main
