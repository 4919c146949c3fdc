// Functions of Python stand in a stack where the evaluator's frames stood that ran them, in their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "preload/modes/profile/merged_stack.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {
namespace {

using Frames = std::vector<std::uint64_t>;

constexpr std::uint64_t kEval = 0x5010;  // returns into the evaluator
constexpr std::uint64_t kPython = trace::kFunctionFrame;

PythonInterpreter interpreter() {
  PythonInterpreter its{};
  its.evaluator = 0x5000;
  its.evaluator_end = 0x6000;
  return its;
}

NativeStack native(const Frames& frames, bool is_cut = false) {
  NativeStack stack{.taken = static_cast<int>(frames.size()), .is_cut = is_cut, .frames = {}};
  std::ranges::transform(frames, stack.frames,
                         [](std::uint64_t frame) { return reinterpret_cast<void*>(frame); });
  return stack;
}

// The numbers of functions, from the innermost outwards, in groups.
PythonStack python(const std::vector<std::vector<std::uint32_t>>& groups, bool is_cut = false) {
  PythonStack stack;
  stack.is_cut = is_cut;
  for (const auto& group : groups) {
    for (const std::uint32_t number : group) stack.numbers[stack.functions++] = number;
    stack.numbers[stack.functions - 1] |= PythonStack::kEndsGroup;
    ++stack.groups;
  }
  return stack;
}

Frames merged(const NativeStack& stack, const PythonStack& functions) {
  const PythonInterpreter its = interpreter();
  Frames frames(NativeStack::kMost + PythonStack::kMost);
  frames.resize(merge_stacks(stack, functions, &its, frames.data()));
  return frames;
}

TEST(MergedStack, HasEachGroupInThePlaceOfItsEvaluator) {
  EXPECT_EQ(merged(native({1, kEval, 2, kEval, 3}), python({{11, 12}, {13}})),
            (Frames{1, kPython | 11, kPython | 12, 2, kPython | 13, 3}));
}

TEST(MergedStack, TakesTheReturnAddressBehindTheLastCallOfTheEvaluatorForIts) {
  EXPECT_EQ(merged(native({1, 0x6000, 0x5000}), python({{11}})), (Frames{1, kPython | 11, 0x5000}));
}

TEST(MergedStack, IsNativeWithoutFunctionsAndWithoutAnInterpreter) {
  const Frames frames{1, kEval, 2};
  EXPECT_EQ(merged(native(frames), PythonStack{}), frames);
  Frames same(frames.size());
  EXPECT_EQ(merge_stacks(native(frames), PythonStack{}, nullptr, same.data()), frames.size());
  EXPECT_EQ(same, frames);
}

// A rare part of the evaluator lies elsewhere.
TEST(MergedStack, PutsGroupsWhoseEvaluatorIsNotSeenToTheOutermostOne) {
  EXPECT_EQ(merged(native({1, kEval, 2, 3}), python({{11}, {12}, {13}})),
            (Frames{1, kPython | 11, kPython | 12, kPython | 13, 2, 3}));
}

// A second interpreter runs in the thread: nothing tells which evaluator runs which group.
TEST(MergedStack, IsNativeWhereThereAreMoreEvaluatorsThanGroups) {
  const Frames frames{1, kEval, 2, kEval, 3};
  EXPECT_EQ(merged(native(frames), python({{11}})), frames);
  EXPECT_EQ(merged(native(frames), python({{11}}, true)), (Frames{1, kPython | 11, 2, 3}));
}

TEST(MergedStack, GoesOnWithFunctionsWhereTheNativeStackWasCut) {
  EXPECT_EQ(merged(native({1, 2}, true), python({{11}, {12}})), (Frames{1, 2, kPython | 11, kPython | 12}));
  EXPECT_EQ(merged(native({1, 2}), python({{11}, {12}})), (Frames{1, 2}));
}

}  // namespace
}  // namespace memo::guest
