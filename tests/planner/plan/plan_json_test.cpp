// Plans as JSON: nothing is lost there and back, and what comes from elsewhere is taken, or refused in one sentence that
// says which value is wrong.
#include "planner/plan/plan_json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "planner/check/servable.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "tests/runtime/machine.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

PlanDescription any_plan(std::uint64_t seed) {
  PlanDescription plan = runtime::testing::PlanDice(seed).draw();
  plan.modules = {{.build_id = "00ff10", .path = "/srv/a \"strange\" naïve.so"}, {}};
  for (PlanVariantDescription& variant : plan.variants) {
    variant.fingerprint = seed * 0x9e3779b97f4a7c15;
    variant.strategy = "auto";
    if (seed % 3 != 0) variant.range = {.least = 7, .most = 1 << 20, .alone = 1 << 19, .varying = {}};
    for (std::uint64_t i = 0; i < seed % 3; ++i) variant.range.varying.push_back({.least = i, .most = seed});
    for (PlanSlotDescription& slot : variant.slots) slot.site.module = static_cast<std::uint32_t>(seed % 2);
    if (seed % 3 == 2 && seed <= kMaxFormulaNumbers[0])
      variant.slots.back().formula = {.base = seed, .factor = 1 + seed, .rounding = 7, .powers = {1, 2}};
  }
  return plan;
}

RC_GTEST_PROP(PlanJson, ThereAndBackGivesTheSameBytes, ()) {
  const PlanDescription plan = any_plan(*rc::gen::inRange<std::uint64_t>(0, 10000));
  for (std::size_t number = 0; number < plan.variants.size(); ++number)
    RC_ASSERT(decode_plan(encode_plan(plan)).variants[number].range == plan.variants[number].range);
  const PlanDescription back = plan_from_json(plan_to_json(plan).dump());
  RC_ASSERT(back == plan);
  RC_ASSERT(encode_plan(back) == encode_plan(plan));
}

// Returns what is said of the plan after `change`, "" where it is taken.
template <typename Change>
std::string complaint(Change change) {
  Json json = plan_to_json(any_plan(1));
  change(json);
  try {
    require_servable(plan_from_json(json.dump()));
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(PlanJson, TheArenaTakesWhatIsRight) {
  EXPECT_EQ(complaint([](Json&) {}), "");
  EXPECT_EQ(complaint([](Json& json) { json["comment"] = "other keys do not matter"; }), "");
}

TEST(PlanJson, AFaultIsNamedByItsPlace) {
  const auto with = [](const char* pointer, const Json& value) {
    return complaint([&](Json& json) { json[Json::json_pointer(pointer)] = value; });
  };
  EXPECT_EQ(with("/variants/0/slots/2/size", -1),
            "variants[0].slots[2].size is -1; it should be a whole number up to 18446744073709551615");
  EXPECT_EQ(with("/variants/0/slots/0/alignment", 4294967296),
            "variants[0].slots[0].alignment is 4294967296; it should be a whole number up to 4294967295");
  EXPECT_EQ(
      with("/variants/0/slots/0/zone", "stack"),
      "variants[0].slots[0].zone is \"stack\"; it should be \"cell\", \"large\", \"heap\", \"list\", \"kept\" or \"pool\"");
  EXPECT_EQ(with("/modules", 7), "modules is 7; it should be a list");
  EXPECT_EQ(with("/modules/0/path", nullptr), "modules[0].path is null; it should be a text");
  EXPECT_EQ(complaint([](Json& json) { json["variants"][0].erase("key"); }), "variants[0].key is missing");
  EXPECT_NE(with("/modules/0/build_id", "xyz").find("no build-id"), std::string::npos);
  EXPECT_EQ(
      with("/variants/0/range/varying/0/most", 1.5),
      "variants[0].range.varying[0].most is 1.5; it should be a whole number up to 18446744073709551615");
  EXPECT_NE(with("/variants/0/range/varying/5", Json::object()).find("varying"), std::string::npos);
  const Json formula = {{"base", 0}, {"factor", 1}, {"rounding", 0}, {"powers", {1, 1, 0}}};
  EXPECT_NE(
      with("/variants/0/slots/0/formula", formula).find("slot 0 has a formula in two numbers, and 1 vary"),
      std::string::npos);
  EXPECT_EQ(
      with("/variants/0/slots/0/formula", {{"base", 0}, {"factor", 1}, {"rounding", 0}, {"powers", {1}}}),
      "variants[0].slots[0].formula.powers is [1]; it should be a list of 3 numbers");
  EXPECT_NE(with("/variants/0/slots/0/module", 5).find("names module 5 of 2"), std::string::npos);
  EXPECT_NE(with("/variants/0/slots/0/freed_at", 100000).find("slot 0"), std::string::npos);
}

TEST(PlanJson, WhatIsNoJsonIsSaidToBeNone) {
  EXPECT_THROW(static_cast<void>(plan_from_json("{")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(plan_from_json("[]")), std::runtime_error);
}

}  // namespace
}  // namespace memo::planner
