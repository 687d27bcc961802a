# The items of an order, by the shelf that they come from.
class Receipt
  def initialize(items)
    @shelves = Hash.new([])
    items.each { |name, shelf| @shelves[shelf] << name }
  end

  def on(shelf)
    @shelves[shelf]
  end
end
