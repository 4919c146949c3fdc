// The mixed integer program is exact where it ends, and harmless where it does not: a solver that hangs, lies or is
// missing costs nothing but the proof. Solvers are real ones where installed, and small scripts in a folder that
// stands alone on the PATH.
#include "planner/literature/mip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "planner/literature/mip_solver.h"
#include "planner/placing/squeeze.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

namespace fs = std::filesystem;

// The PATH is this one folder for as long as the object lives.
class LonelyPath {
 public:
  LonelyPath() {
    std::string name = (fs::temp_directory_path() / "memo-path-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("PATH", folder_.c_str(), 1);
  }
  ~LonelyPath() {
    setenv("PATH", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  LonelyPath(const LonelyPath&) = delete;
  LonelyPath& operator=(const LonelyPath&) = delete;

  void add_script(const char* name, const char* body) const {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  // False if it is not installed.
  [[nodiscard]] bool add_installed(const char* name) const {
    const fs::path program = fs::path("/usr/bin") / name;
    if (!fs::exists(program)) return false;
    fs::create_symlink(program, folder_ / name);
    return true;
  }

 private:
  std::string before_ = std::getenv("PATH");
  fs::path folder_;
};

// Some order makes first fit optimal (the one of an optimal plan's offsets), so trying all of them is exact.
Bytes least_height(const Problem& problem) {
  std::vector<BufferIndex> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  FirstFit first_fit(problem);
  Bytes least = height(problem, first_fit.run(order));
  while (std::next_permutation(order.begin(), order.end())) {
    if (const auto found = first_fit.run(order, least)) least = height(problem, *found);
  }
  return least;
}

// Crowded enough that the peak of live bytes is often out of reach.
Problem crowded(std::uint32_t seed, int count, Alignments alignments) {
  Problem problem = random_problem(seed, count, alignments);
  std::mt19937 random(seed);
  for (Buffer& buffer : problem.buffers) {
    const Time begin = static_cast<Time>(random() % 8);
    buffer.life = {begin, begin + 1 + static_cast<Time>(random() % 4)};
    buffer.size = 1 + buffer.size % 5;
    buffer.alignment = std::min<Bytes>(buffer.alignment, 4);
  }
  return problem;
}

void expect_exact(const Problem& problem) {
  const Outcome outcome = kMip.solve(problem, {.seconds = 60});
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
  EXPECT_EQ(outcome.height, least_height(problem));
  EXPECT_EQ(outcome.lower_bound, outcome.height);
}

TEST(Mip, AgreesWithBruteForce) {
  if (!find_mip_solver()) GTEST_SKIP() << "no solver is installed";
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    expect_exact(crowded(seed, 6, Alignments::kUnit));
    expect_exact(crowded(seed, 6, Alignments::kMixed));
  }
}

TEST(Mip, GlpkAgreesWithBruteForceToo) {
  const LonelyPath path;
  if (!path.add_installed("glpsol")) GTEST_SKIP() << "glpsol is not installed";
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    expect_exact(crowded(seed, 6, Alignments::kMixed));
  }
}

// Obstacles in the middle of the slab open gaps between the bound and the optimum.
TEST(Mip, HoldsFixedBuffersInPlace) {
  if (!find_mip_solver()) GTEST_SKIP() << "no solver is installed";
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = crowded(seed, 6, Alignments::kUnit);
    problem.buffers.push_back({.life = {2, 5}, .size = 3, .fixed = 2});
    expect_exact(problem);
  }
}

// Two buffers of 3 bytes aligned to 4 leave one byte between them, and the third needs two: 9 bytes, although no
// sweep can prove more than 8. A solver is really asked.
Problem unproved() {
  return {.buffers = {{.life = {0, 1}, .size = 3, .alignment = 4},
                      {.life = {0, 1}, .size = 3, .alignment = 4},
                      {.life = {0, 1}, .size = 2}},
          .capacity = {}};
}

TEST(Mip, ProvesWhatTheSweepCannot) {
  if (!find_mip_solver()) GTEST_SKIP() << "no solver is installed";
  const Outcome outcome = kMip.solve(unproved(), {});
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_EQ(outcome.lower_bound, 9);
}

TEST(Mip, GlpkProvesItToo) {
  const LonelyPath path;
  if (!path.add_installed("glpsol")) GTEST_SKIP() << "glpsol is not installed";
  EXPECT_EQ(kMip.solve(unproved(), {}).lower_bound, 9);
}

TEST(Mip, SaysInfeasibleWhenTheSolverProvedIt) {
  if (!find_mip_solver()) GTEST_SKIP() << "no solver is installed";
  Problem problem = unproved();
  problem.capacity = 8;
  const Outcome outcome = kMip.solve(problem, {});
  EXPECT_EQ(outcome.status, Status::kInfeasible);
  EXPECT_TRUE(outcome.offsets.empty());
  EXPECT_NE(outcome.note, "");
}

TEST(Mip, IsRefusedWithoutASolver) {
  const LonelyPath path;
  EXPECT_NE(kMip.refusal({}).find("cbc"), std::string::npos);
}

TEST(Mip, ASolverThatHangsIsKilled) {
  const Problem problem = unproved();
  const LonelyPath path;
  path.add_script("cbc", "exec /bin/sleep 1000");
  EXPECT_TRUE(is_valid(problem, kMip.solve(problem, {.seconds = 0.01}).offsets));
  const std::atomic<bool> cancel = true;
  EXPECT_TRUE(is_valid(problem, kMip.solve(problem, {.cancel = &cancel}).offsets));
}

// "Optimal", at half of what is possible, and all offsets 0: the plan that comes out is valid and claims nothing.
TEST(Mip, ASolverThatLiesProvesNothing) {
  const Problem problem = unproved();
  const LonelyPath path;
  path.add_script("cbc", R"(for last; do :; done; echo "Optimal - objective value 1" > "$last")");
  const Outcome outcome = kMip.solve(problem, {});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
  EXPECT_EQ(outcome.status, Status::kFeasible);
}

TEST(Mip, RefusesMorePairsThanASolverCanTake) {
  if (!find_mip_solver()) GTEST_SKIP() << "no solver is installed";
  Problem problem;
  for (int i = 0; i < 400; ++i) problem.buffers.push_back({.life = {0, 1}, .size = 1, .fixed = {}});
  EXPECT_NE(kMip.refusal(problem), "");
}

}  // namespace
}  // namespace memo::planner
