#include "receipt.h"

#include <gtest/gtest.h>

TEST(Receipt, TakesATenthOff) {
  EXPECT_EQ(total({{"lamp", 1999}, {"bulb", 251}}), 2025);
}

TEST(Receipt, IsPlainBelow) {
  EXPECT_EQ(total({{"bulb", 251}}), 251);
}
