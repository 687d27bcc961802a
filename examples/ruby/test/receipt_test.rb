require "minitest/autorun"
require "receipt"

class ReceiptTest < Minitest::Test
  def test_items_of_a_shelf
    receipt = Receipt.new([["tea", :drinks], ["cake", :sweets]])
    drinks = receipt.on(:drinks)
    assert_equal ["tea"], drinks
  end
end
