// Proves which variable of the environment is taken for a misspelt one of the library's, and for which of them.
#include "preload/options/misspelt.h"

#include <gtest/gtest.h>

#include <string>

namespace memo::guest {
namespace {

TEST(Misspelt, OneOrTwoLettersAreMended) {
  EXPECT_STREQ(nearest_variable("MEMOMALLOC_PLAM"), "MEMOMALLOC_PLAN");
  EXPECT_STREQ(nearest_variable("MEMOMALOC_MODE"), "MEMOMALLOC_MODE");
  EXPECT_STREQ(nearest_variable("MEMOMALLOC_MODE"), "MEMOMALLOC_MODE");
}

TEST(Misspelt, TheVariableOfTheCommandIsMendedToo) {
  EXPECT_STREQ(nearest_variable("MEMOMALLOC_LIBRAY"), "MEMOMALLOC_LIBRARY");
}

TEST(Misspelt, WhatResemblesNothingHasNoNeighbour) {
  EXPECT_EQ(nearest_variable("MEMOMALLOC_SOMETHING_ELSE"), nullptr);
  EXPECT_EQ(nearest_variable(""), nullptr);
}

TEST(Misspelt, NamesTooLongToBeComparedHaveNoNeighbour) {
  EXPECT_EQ(nearest_variable(std::string(10'000, 'M').c_str()), nullptr);
}

}  // namespace
}  // namespace memo::guest
