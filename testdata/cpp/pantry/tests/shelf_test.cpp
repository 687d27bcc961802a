#include "shelf.h"
#include <cstdlib>
#include <gtest/gtest.h>

TEST(Shelf, Holds) {
  Shelf shelf;
  shelf.put("jam", 2);
  EXPECT_EQ(shelf.total(), 2); //@mark test-holds
}

TEST(Shelf, Takes) {
  Shelf shelf;
  shelf.put("jam", 2);
  EXPECT_EQ(shelf.take("jam", 1), 3); //@mark test-takes
}

TEST(Shelf, IsEmpty) { EXPECT_EQ(Shelf().total(), 0); }
TEST(Other, IsEmpty) { EXPECT_STREQ(std::getenv("PANTRY"), "full"); }

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, Fit) {
  Shelf shelf;
  shelf.put("jar", GetParam());
  EXPECT_EQ(shelf.total(), GetParam()); //@mark test-fit
}
INSTANTIATE_TEST_SUITE_P(Small, Sizes, testing::Values(1, 2));
