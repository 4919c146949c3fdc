// Marked passes and scopes, as the sink hears of them: what joins a running pass, what shows that the program left it without an
// end, and what ends together. The places in the stack are made up.
#include "preload/boundaries/marks.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "preload/boundaries/sink.h"
#include "runtime/slab/skipping.h"
#include "runtime/slab/thread_state.h"

namespace memo::guest {
namespace {

std::vector<std::string> g_heard;

constexpr BoundaryName kPass{"pass", 1, 1};
constexpr BoundaryName kOther{"other", 2, 2};
constexpr BoundaryName kScope{"scope", 3, 3};
constexpr BoundaryName kInner{"inner", 4, 4};

constexpr BoundarySink kListener{
    [](const BoundaryName& name, std::uint64_t key, std::uintptr_t, std::uintptr_t) {
      g_heard.push_back(std::string(name.text) + " " + std::to_string(key));
    },
    [](PassEnd how) { g_heard.emplace_back(how == PassEnd::kReached ? "end" : "left"); },
    [](const BoundaryName& name) { g_heard.push_back("+" + std::string(name.text)); },
    [](const BoundaryName& name) { g_heard.push_back("-" + std::string(name.text)); }, nullptr};

const char g_code[16] = {};

class Marks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { set_boundary_sink(&kListener); }
  void SetUp() override { g_heard.clear(); }
  void TearDown() override {
    leave_marked_pass(at(0));
    leave_marked_pass(at(0));
  }

  // Returns a place so many words down the stack, in front of the `line`th byte of the code.
  [[nodiscard]] CallSite at(std::size_t depth, std::size_t line = 0) const {
    return {g_code + line, &here_ - depth};
  }

  void expect(const std::vector<std::string>& all) const { EXPECT_EQ(g_heard, all); }

 private:
  const std::uint64_t here_ = 0;
};

TEST_F(Marks, BeginAndEndAPass) {
  enter_marked_pass(kPass, 7, at(10));
  leave_marked_pass(at(10, 1));
  enter_marked_pass(kOther, 8, at(10));
  leave_marked_pass(at(10, 1));
  expect({"pass 7", "end", "other 8", "end"});
}

// A pass of which the plan has none goes to the heap as well, and is one to learn.
TEST_F(Marks, SayOfASkippedPassWhetherServingStandsAside) {
  constexpr std::uint64_t kTicksPerSecond = std::uint64_t{1} << 50;
  for (const auto& [why, aside] :
       {std::pair{runtime::Reason::kGaveUp, true}, {runtime::Reason::kNoPlan, false}}) {
    runtime::let_be_skipped(7, why, kTicksPerSecond);
    EXPECT_TRUE(skip_marked_pass(7, at(10)));
    EXPECT_EQ(stands_aside_for(7), aside);
    leave_marked_pass(at(10, 1));
    EXPECT_FALSE(stands_aside_for(7));
  }
  runtime::skip_no_passes();
  expect({});
}

TEST_F(Marks, SayOfAPassThatBeganWhetherServingStandsAside) {
  runtime::ThreadState& self = runtime::t_self;
  self.depth = 1;
  for (const runtime::Reason why :
       {runtime::Reason::kGaveUp, runtime::Reason::kNoPlan, runtime::Reason::kCompared}) {
    self.why = why;
    EXPECT_EQ(stands_aside_for(7), why == runtime::Reason::kGaveUp);
  }
  self.depth = 0;
  self.why = runtime::Reason::kNoPlan;
}

TEST_F(Marks, APassInsideAnotherIsPartOfIt) {
  enter_marked_pass(kPass, 1, at(10));
  enter_marked_pass(kOther, 2, at(20));
  enter_marked_pass(kOther, 3, at(10, 2));  // further on in the function of the first
  leave_marked_pass(at(10, 3));
  leave_marked_pass(at(20, 1));
  expect({"pass 1"});
  leave_marked_pass(at(10, 4));
  expect({"pass 1", "end"});
}

TEST_F(Marks, TheSameBeginAgainShowsThatThePassWasLeft) {
  enter_marked_pass(kPass, 1, at(10));
  enter_marked_pass(kPass, 2, at(10));
  leave_marked_pass(at(10, 1));
  expect({"pass 1", "left", "pass 2", "end"});
}

TEST_F(Marks, ABeginFurtherOutShowsThatThePassWasLeft) {
  enter_marked_pass(kPass, 1, at(20));
  enter_marked_pass(kOther, 2, at(25));  // part of the first, and left together with it
  enter_marked_scope(kScope, at(22));
  enter_marked_pass(kPass, 3, at(10));
  leave_marked_pass(at(10, 1));
  expect({"pass 1", "+scope", "-scope", "left", "pass 3", "end"});
}

TEST_F(Marks, ScopesAreInsidePasses) {
  enter_marked_scope(kScope, at(10));
  leave_marked_scope(at(10));
  expect({});
  enter_marked_pass(kPass, 1, at(10));
  enter_marked_scope(kScope, at(11));
  enter_marked_scope(kInner, at(12));
  leave_marked_scope(at(12));
  leave_marked_scope(at(11));
  leave_marked_scope(at(11));  // one too many
  leave_marked_pass(at(10, 1));
  expect({"pass 1", "+scope", "+inner", "-inner", "-scope", "end"});
}

TEST_F(Marks, APassEndsTheScopesInIt) {
  enter_marked_pass(kPass, 1, at(10));
  enter_marked_scope(kScope, at(11));
  enter_marked_scope(kInner, at(12));
  leave_marked_pass(at(10, 1));
  expect({"pass 1", "+scope", "+inner", "-inner", "-scope", "end"});
}

// What lies deeper than the library tracks counts for the frames that it does track.
TEST_F(Marks, ThereIsAnEndToDepth) {
  enter_marked_pass(kPass, 1, at(10));
  for (int i = 0; i < 300; ++i) enter_marked_scope(kScope, at(11));
  const std::size_t begun = g_heard.size() - 1;
  EXPECT_GT(begun, 200U);
  EXPECT_LT(begun, 300U);
  leave_marked_pass(at(10, 1));
  EXPECT_EQ(g_heard.size(), 2 * begun + 2);
  EXPECT_EQ(g_heard.back(), "end");
}

}  // namespace
}  // namespace memo::guest
