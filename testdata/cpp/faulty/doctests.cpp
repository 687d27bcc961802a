#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <string>
#include <vector>

struct Basket {
  std::vector<int> prices;
  int total() const { int sum = 0; for (int p : prices) sum += 2 * p; return sum; }
};
static int add(int a, int b) { return a + b; }

TEST_CASE("adds") {
  CHECK_EQ(add(2, 3), 6); //@mark adds
}
TEST_CASE("totals") {
  Basket basket{{3, 1}};
  REQUIRE(basket.total() == 4); //@mark totals
}
TEST_CASE("breaks") {
  Basket* basket = nullptr;
  CHECK(basket->prices.size() == 1); //@mark breaks
}
TEST_CASE("passes") { CHECK(add(1, 1) == 2); }
