// The distance of two words against its definition, worked out by recursion, and its properties on drawn words.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/formats/edit_distance.h"

namespace memo::runtime {
namespace {

// Returns the distance as it is defined, in exponential time.
unsigned defined_distance(std::string_view from, std::string_view to) {
  if (from.empty() || to.empty()) return static_cast<unsigned>(from.size() + to.size());
  const auto rest = [](std::string_view word, std::size_t letters) { return word.substr(letters); };
  unsigned least = std::min(defined_distance(rest(from, 1), to), defined_distance(from, rest(to, 1))) + 1;
  least = std::min(least, defined_distance(rest(from, 1), rest(to, 1)) + unsigned{from[0] != to[0]});
  const bool swapped = from.size() > 1 && to.size() > 1 && from[0] == to[1] && from[1] == to[0];
  return swapped ? std::min(least, defined_distance(rest(from, 2), rest(to, 2)) + 1) : least;
}

std::string short_word() {
  const auto length = *rc::gen::inRange<std::size_t>(0, 6);
  return *rc::gen::container<std::string>(length, rc::gen::inRange('a', 'd'));
}

TEST(EditDistance, CountsEachKindOfSlip) {
  EXPECT_EQ(edit_distance("lanes", "lanes"), 0U);
  EXPECT_EQ(edit_distance("lane", "lanes"), 1U);    // inserted
  EXPECT_EQ(edit_distance("llanes", "lanes"), 1U);  // removed
  EXPECT_EQ(edit_distance("lames", "lanes"), 1U);   // replaced
  EXPECT_EQ(edit_distance("laens", "lanes"), 1U);   // swapped
  EXPECT_EQ(edit_distance("", "lanes"), 5U);
}

TEST(EditDistance, TakesTheLongestWords) {
  const std::string longest(kLongestCompared, 'a');
  EXPECT_EQ(edit_distance(longest, std::string(kLongestCompared, 'b')), kLongestCompared);
  EXPECT_EQ(edit_distance(longest, ""), kLongestCompared);
}

RC_GTEST_PROP(EditDistance, IsWhatItsDefinitionSays, ()) {
  const std::string from = short_word();
  const std::string to = short_word();
  RC_ASSERT(edit_distance(from, to) == defined_distance(from, to));
}

RC_GTEST_PROP(EditDistance, IsTheSameBothWays, ()) {
  const std::string from = short_word();
  const std::string to = short_word();
  RC_ASSERT(edit_distance(from, to) == edit_distance(to, from));
}

}  // namespace
}  // namespace memo::runtime
