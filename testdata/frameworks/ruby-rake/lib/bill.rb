# What is to be paid.
class Bill
  def initialize(*cents)
    @cents = cents
  end

  def total(tip)
    sum = @cents.sum
    sum + sum * tip / 100 # @mark total
  end
end
