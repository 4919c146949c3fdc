// The body of a loop, from nothing but the sequences in which it is repeated.
#include "planner/period/repeats.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace memo::planner {
namespace {

// A letter is a step; what stands between brackets stands in something that was opened with the bracket.
Nested sequence(std::string_view letters) {
  Nested result;
  std::vector<std::uint32_t> open = {UINT32_MAX};
  std::uint32_t opened = 0;
  for (const char letter : letters) {
    if (letter == '[') {
      open.push_back(opened++);
    } else if (letter == ']') {
      open.pop_back();
    } else {
      result.steps.push_back({.context = static_cast<ContextId>(letter)});
      result.around.push_back(open.back());
    }
  }
  return result;
}

std::string times(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string body_in(const std::vector<std::string>& texts) {
  std::vector<Nested> sequences;
  for (const std::string& text : texts) sequences.push_back(sequence(text));
  const std::optional<Body> body = find_body(sequences);
  return body ? std::string(body->begin(), body->end()) : "";
}

TEST(Repeats, FindTheBodyBetweenWhatIsBeforeAndBehind) {
  EXPECT_EQ(body_in({"pq" + times(5, "abcd") + "rs", "pq" + times(9, "abcd") + "rs"}), "abcd");
  EXPECT_EQ(body_in({times(5, "abcd"), times(9, "abcd")}), "abcd");
  EXPECT_EQ(body_in({times(6, "a"), times(7, "a")}), "a");
}

// No step opens the body and occurs only there: any rotation would do, and the one that is whole is taken.
TEST(Repeats, StartWhereTheRepetitionDoes) {
  EXPECT_EQ(body_in({"p" + times(5, "aabac") + "s", "p" + times(9, "aabac") + "s"}), "aabac");
  EXPECT_EQ(body_in({"pa" + times(5, "abc") + "s", "pa" + times(9, "abc") + "s"}), "abc");
}

TEST(Repeats, EndBeforeWhatBeginsLikeTheBody) {
  const Body body = {'a', 'b', 'c'};
  EXPECT_EQ(repeats_of(body, sequence("p" + times(5, "abc") + "abs")).count(), 5U);
}

// A list that grows now and then, an operator that is not needed each time.
TEST(Repeats, SurviveAFewStepsTooManyOrTooFew) {
  const std::string regular = "abcdefghijkl";
  const std::string text = "pq" + times(3, regular) + "abcdefXghijkl" + times(4, regular) + "abcdeghijkl" +
                           times(4, regular) + "rs";
  EXPECT_EQ(body_in({text, "pq" + times(6, regular) + "rs"}), regular);
  const Repeats repeats = repeats_of(Body(regular.begin(), regular.end()), sequence(text));
  EXPECT_EQ(repeats.count(), 13U);
  EXPECT_EQ(std::count(repeats.places.begin(), repeats.places.end(), kNoPlace), 1);
}

// An iteration begins where what was opened in the one before is closed.
TEST(Repeats, BeginWhereNothingOfTheIterationIsOpen) {
  EXPECT_EQ(body_in({"p" + times(5, "a[bc]d") + "s", "p" + times(9, "a[bc]d") + "s"}), "abcd");
  EXPECT_EQ(body_in({"p[" + times(5, "a[b]c") + "]s", "p[" + times(9, "a[b]c") + "]s"}), "abc");
}

TEST(Repeats, AreNotSeenInANetworkOfDifferentLayers) {
  EXPECT_EQ(body_in({"pabcqdefrghisjkltabm", "pabcqdefrghisjkltabmabn"}), "");
  EXPECT_EQ(body_in({times(3, "abcd"), times(2, "abcd")}), "");
}

}  // namespace
}  // namespace memo::planner
