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

TEST(PlanCorpus, IsOfThisVersionInJson) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const PlanDescription plan = runtime::testing::PlanDice(seed).draw();
    expect_in_corpus("plan_json/dice-" + std::to_string(seed) + ".json", plan_to_json(plan).dump());
  }
}

}  // namespace
}  // namespace memo::planner
