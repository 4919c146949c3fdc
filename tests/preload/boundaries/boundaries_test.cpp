// Passes and scopes found through symbols, and the shadow stack that tells when they end.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/preload/recording.h"

namespace memo::testing {
namespace {

using planner::Bytes;
using planner::Pass;
using planner::Trace;
using Sizes = std::vector<Bytes>;
using Names = std::vector<std::string>;

// The outermost pass counts; scopes nest; calls one behind another from the same place are different calls; a
// function whose last act is a jump stays around what it jumps to; the first event behind a pass is outside it.
TEST(Boundaries, AreFoundBySymbol) {
  const Trace trace = trace_of("hooks");
  ASSERT_EQ(trace.passes.size(), 1U);
  const Pass& pass = trace.passes[0];
  EXPECT_EQ(trace.name(pass.name), "hooked_pass");
  EXPECT_EQ(sizes(pass), (Sizes{1, 2, 3, 4, 4, 4, 5, 6, 7}));
  EXPECT_EQ(scopes(trace, pass), (Names{"", "hooked_scope", "", "hooked_scope", "hooked_scope",
                                        "hooked_scope", "", "hooked_scope", ""}));
  ASSERT_EQ(pass.scopes.size(), 6U);
  EXPECT_EQ(trace.name(pass.scopes[4].name), "hooked_jumping_scope");
  EXPECT_EQ(pass.scopes[5].parent, 4U);
}

// An exception and a longjmp leave hooked functions without their exit; what comes next is seen outside them.
TEST(Boundaries, SurviveExceptionsAndLongjmp) {
  const Trace trace = trace_of("unwinding");
  ASSERT_EQ(trace.passes.size(), 3U);
  for (const Pass& pass : trace.passes) EXPECT_TRUE(pass.complete);
  EXPECT_EQ(trace.passes[0].scopes.size(), 2U);
  EXPECT_EQ(sizes(trace.passes[2]), Sizes{2});
  EXPECT_EQ(scopes(trace, trace.passes[2]), Names{""});
}

// On a stack that is not the thread's own the scope is unknown, and back on its own it is what it was.
TEST(Boundaries, DoNotGuessOnAnotherStack) {
  const Trace trace = trace_of("fiber");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_EQ(sizes(trace.passes[0]), (Sizes{1, 2, 3}));
  EXPECT_EQ(scopes(trace, trace.passes[0]), (Names{"hooked_scope", "", "hooked_scope"}));
}

// Integers, doubles, variadic calls, results in memory, 80-bit and 256-bit values pass through a thunk unharmed; the
// specimen checks them.
TEST(Boundaries, KeepEveryArgument) {
  const Trace trace = trace_of("arguments");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_GE(trace.passes[0].scopes.size(), 5U);
}

// A library that is loaded later is hooked once dlopen has returned.
TEST(Boundaries, AreFoundInLibrariesLoadedLater) {
  const Trace trace = trace_of("late");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_EQ(sizes(trace.passes[0]), Sizes{2});
  EXPECT_EQ(scopes(trace, trace.passes[0]), Names{"hooked_scope"});
}

// Its hooks are the old ones, pointed elsewhere: the log tells of new hooks once.
TEST(Boundaries, AreFoundAgainHoweverOftenALibraryIsLoadedElsewhere) {
  const TemporaryFolder folder;
  const Trace trace =
      only_trace(record({MEMO_RELOADER, MEMO_LATE}, {{"MEMOMALLOC_LOG", folder.file("log")}}), "reloader");
  EXPECT_EQ(trace.passes.size(), 10U);
  for (const Pass& pass : trace.passes) EXPECT_EQ(scopes(trace, pass), Names{"hooked_scope"});
  std::ifstream log(folder.file("log"));
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  const std::size_t first = text.find("hooked 2 functions");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("hooked ", first + 1), std::string::npos) << text;
}

// A glob may be written for the name people read; one that matches nothing finds nothing, quietly.
TEST(Boundaries, GlobsThatMatchNothingFindNothing) {
  const Recording recording =
      record_scene("hooks", {{"MEMOMALLOC_PASS_SYMBOLS", "no::such::*"}, {"MEMOMALLOC_SCOPE_SYMBOLS", "?"}});
  EXPECT_EQ(recording.status, 0);
  EXPECT_TRUE(recording.traces.empty());
}

}  // namespace
}  // namespace memo::testing
