#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "words.h"

TEST_CASE("a sentence has words", "[words]") {
  REQUIRE(words("one, two; three!").size() == 3);
}

TEST_CASE("nothing has none", "[words][edge]") {
  REQUIRE(words("... ").empty());
}
