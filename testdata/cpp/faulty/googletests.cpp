// What the tests of GoogleTest fail at.
#include <gtest/gtest.h>
#include <vector>

struct Cart {
  std::vector<int> prices;
  int total() const { int sum = 0; for (int price : prices) sum += price; return sum; }
};

TEST(CartTest, Reduces) {
  Cart cart{{30, 12}};
  int off = 4;
  EXPECT_EQ(cart.total() - off, 30); //@mark reduces
}

TEST(CartTest, Costs) {
  Cart cart{{30, 12}};
  ASSERT_TRUE(cart.total() > 50) << "too cheap"; //@mark costs
}

TEST(CartTest, Throws) {
  Cart none;
  EXPECT_EQ(none.prices.at(2), 1); //@mark throws
}
