// The fuzzers of plans and of plans in JSON start from files that today's readers take: a corpus of a version before teaches
// them nothing. With MEMOMALLOC_UPDATE_GOLDEN=1 the files are written anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/plan/plan_json.h"
#include "planner/plan/plan_writer.h"
#include "tests/runtime/machine.h"

namespace memo::planner {
namespace {

void expect_in_corpus(const std::string& name, const std::string& content) {
  const std::string path = MEMO_FUZZ_CORPUS "/" + name;
  if (std::getenv("MEMOMALLOC_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << content;
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator(file), {}), content) << path;
}

TEST(PlanCorpus, IsOfThisVersion) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto bytes = encode_plan(runtime::testing::PlanDice(seed).draw());
    expect_in_corpus("plan/dice-" + std::to_string(seed), std::string(bytes.begin(), bytes.end()));
  }
}

// Three large blocks that live together, of a batch and a length: passes that ask for a quarter more have the plan grow.
PlanDescription plan_of_texts() {
  PlanDescription plan{.modules = {{}}, .cells = {64}, .variants = {{}}};
  PlanVariantDescription& variant = plan.variants[0];
  variant.range = {.least = 1, .most = 2, .alone = 1, .varying = {{1, 8}, {1, 16}}};
  for (std::uint32_t slot = 0; slot < 3; ++slot)
    variant.slots.push_back(
        {.site = {0, slot + 1},
         .size = 8192,
         .freed_at = 3,
         .zone = PlanZone::kLarge,
         .place = std::uint64_t{slot} << 13,
         .formula = {.factor = slot == 0 ? 64U : 4U, .powers = {1, slot == 0 ? 1U : 2U}}});
  return plan;
}

TEST(PlanCorpus, HasFormulas) {
  const auto bytes = encode_plan(plan_of_texts());
  expect_in_corpus("plan/texts", std::string(bytes.begin(), bytes.end()));
  expect_in_corpus("plan_json/texts.json", plan_to_json(plan_of_texts()).dump());
}

TEST(PlanCorpus, IsOfThisVersionInJson) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const PlanDescription plan = runtime::testing::PlanDice(seed).draw();
    expect_in_corpus("plan_json/dice-" + std::to_string(seed) + ".json", plan_to_json(plan).dump());
  }
}

}  // namespace
}  // namespace memo::planner
