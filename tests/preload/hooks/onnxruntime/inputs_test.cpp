// The key of a pass of ONNX Runtime: what it depends on, and what it does not.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "preload/hooks/onnxruntime/inputs.h"

namespace memo::guest::ort {
namespace {

using Shape = std::vector<std::int64_t>;
using Named = std::pair<std::string, Shape>;

Status shape_of(Value value, int* type, const std::int64_t** dimensions, std::size_t* count) {
  const auto& shape = *static_cast<const Shape*>(value);
  *type = 1;
  *dimensions = shape.data();
  *count = shape.size();
  return nullptr;
}

Functions functions() {
  Functions its{};
  its.get_shape_reference = shape_of;
  return its;
}

std::uint64_t key_of(const std::vector<Named>& inputs) {
  std::vector<const char*> names;
  std::vector<Value> values;
  for (const auto& [name, shape] : inputs) {
    names.push_back(name.c_str());
    values.push_back(&shape);
  }
  return key_of_inputs(functions(), names.data(), values.data(), inputs.size());
}

void bind_inputs(const void* binding, const std::vector<Named>& inputs) {
  for (const auto& [name, shape] : inputs) remember_bound(functions(), binding, name.c_str(), &shape);
}

const void* binding_number(std::uintptr_t number) {
  return reinterpret_cast<const void*>(number * 64);
}

// 0 would say that nothing is known of a pass.
TEST(OnnxRuntimeInputs, NoKeyIsZero) {
  EXPECT_NE(key_of({}), 0U);
  EXPECT_NE(key_of({{"", {}}}), 0U);
  EXPECT_NE(key_of_bound(binding_number(1)), 0U);
}

TEST(OnnxRuntimeInputs, EveryDimensionTheRankAndTheNameCount) {
  const std::vector<std::vector<Named>> different = {
      {},
      {{"a", {}}},
      {{"a", {1}}},
      {{"a", {1, 1}}},
      {{"a", {2, 1}}},
      {{"a", {1, 2}}},
      {{"b", {1, 2}}},
      {{"a", {1}}, {"b", {2}}},
      {{"a", {2}}, {"b", {1}}},
  };
  std::vector<std::uint64_t> keys;
  for (const auto& inputs : different) keys.push_back(key_of(inputs));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

// Inputs of different names in any order, handed over or bound, give one key.
RC_GTEST_PROP(OnnxRuntimeInputs, OrderAndBindingDoNotMatter, (std::vector<Shape> shapes)) {
  shapes.resize(std::min<std::size_t>(shapes.size(), 30));
  std::vector<Named> inputs;
  for (const Shape& shape : shapes) inputs.emplace_back("input" + std::to_string(inputs.size()), shape);
  std::vector<Named> reversed(inputs.rbegin(), inputs.rend());
  RC_ASSERT(key_of(inputs) == key_of(reversed));
  bind_inputs(binding_number(7), reversed);
  RC_ASSERT(key_of_bound(binding_number(7)) == key_of(inputs));
  forget_bound(binding_number(7));
}

// More bindings than there is room for, one after another: what was forgotten makes room.
TEST(OnnxRuntimeInputs, ForgottenBindingsMakeRoom) {
  const std::vector<Named> inputs = {{"a", {1, 3}}, {"b", {2}}};
  for (std::uintptr_t number = 1; number < 5000; ++number) {
    bind_inputs(binding_number(number), inputs);
    ASSERT_EQ(key_of_bound(binding_number(number)), key_of(inputs)) << number;
    forget_bound(binding_number(number));
  }
}

// A binding of more inputs than a key can hold has a key all the same: the same one every time.
TEST(OnnxRuntimeInputs, InputsWithoutRoomAreLeftOut) {
  std::vector<Named> inputs;
  for (int i = 0; i < 100; ++i) inputs.emplace_back("input" + std::to_string(i), Shape{i});
  const void* binding = binding_number(3);
  bind_inputs(binding, inputs);
  const std::uint64_t key = key_of_bound(binding);
  EXPECT_NE(key, key_of(inputs));
  bind_inputs(binding, inputs);
  EXPECT_EQ(key_of_bound(binding), key);
  forget_bound(binding);
  EXPECT_EQ(key_of_bound(binding), key_of({}));
}

}  // namespace
}  // namespace memo::guest::ort
