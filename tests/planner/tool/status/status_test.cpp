// Tests what is said about processes from outside: the closing line, the shares, the processes of one command. Failure: a share
// that mixes the warm-up with the steady state, a figure that is lost with a child that ended, a change that nobody hears of.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "planner/tool/status/closing_line.h"
#include "planner/tool/status/process_tree.h"
#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

namespace fs = std::filesystem;
using planner::Served;

ProcessTreeFigures figures_of(Served all, Served steady) {
  return {.own = {.processes = 1,
                  .all = all,
                  .steady = steady,
                  .plan = "a.plan",
                  .passes_of_largest = all.passes,
                  .slab_bytes = 4 << 20,
                  .heap_resident = 2 << 20,
                  .worth = ""},
          .other_passes = 0,
          .other_program = ""};
}

constexpr Served kAll{.passes = 10, .served = 700, .served_bytes = 7000, .missed = 300, .missed_bytes = 3000};
constexpr Served kSteady{.passes = 8, .served = 699, .served_bytes = 6990, .missed = 1, .missed_bytes = 10};

TEST(ClosingLines, SayTheSteadyStateFirst) {
  const std::vector<std::string> lines =
      closing_lines(figures_of(kAll, kSteady), {.plan = "a.plan", .statistics = "a.stats", .arena_cure = ""});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(
      lines[0],
      "10 passes; in the steady state 99.9 % of the allocations and 99.9 % of the bytes were served (warm-up and others: "
      "2, 0.3 %)");
  EXPECT_EQ(
      lines[1],
      "a slab of 4.00 MiB beside a heap of 2.00 MiB; the statistics are in a.stats; the plan is a.plan");
}

TEST(ClosingLines, SayWhenThereWasNothing) {
  EXPECT_EQ(closing_lines({}, {}), std::vector<std::string>{"no pass was served: none was seen"});
  const Served all{.passes = 2, .served = 0, .served_bytes = 0, .missed = 30, .missed_bytes = 300};
  EXPECT_EQ(
      closing_lines(figures_of(all, {}), {}).front(),
      "2 passes, and none after the warm-up with a plan: 0.0 % of the allocations and 0.0 % of the bytes were served");
}

TEST(ClosingLines, SayOfWhichPassesTheSharesAreWhereServingStoodAside) {
  ProcessTreeFigures figures = figures_of(kAll, kSteady);
  figures.own.aside_passes = 7;
  EXPECT_EQ(
      closing_lines(figures, {}).front(),
      "10 passes; serving stood aside for 7 of them; in the steady state 99.9 % of the allocations and 99.9 % of "
      "the bytes of all passes were served (warm-up and others: 2, 0.3 %)");
}

TEST(ClosingLines, CallAPlanOfNextToNothingNoSuccess) {
  ProcessTreeFigures figures = figures_of(kAll, kSteady);
  figures.own.slab_bytes = 34 << 10;
  figures.own.heap_resident = 134 << 20;
  EXPECT_NE(closing_lines(figures, {}).back().find("there is little to gain"), std::string::npos);
  const std::string cured =
      closing_lines(figures, {.plan = "", .statistics = "", .arena_cure = "do this"}).back();
  EXPECT_EQ(cured, "a slab of 34.00 KiB beside a heap of 134.00 MiB; do this");
  figures.own.heap_resident = 1 << 20;
  EXPECT_EQ(closing_lines(figures, {.plan = "", .statistics = "", .arena_cure = "do this"}).back(),
            "a slab of 34.00 KiB beside a heap of 1.00 MiB");
}

TEST(ClosingLines, SayWhatServingWasWorth) {
  ProcessTreeFigures figures = figures_of(kAll, kSteady);
  figures.own.worth = "a request takes 4.1 % (3.6 to 4.6) less processor time than on the heap";
  EXPECT_EQ(
      closing_lines(figures, {}).back(),
      "a request takes 4.1 % (3.6 to 4.6) less processor time than on the heap; a slab of 4.00 MiB beside a heap of 2.00 MiB");
}

TEST(ClosingLines, SayWhichProcessTheMemoryIsOf) {
  ProcessTreeFigures figures = figures_of(kAll, kSteady);
  figures.own.processes = 3;
  EXPECT_EQ(closing_lines(figures, {}).back(),
            "in the process with most passes a slab of 4.00 MiB beside a heap of 2.00 MiB");
}

TEST(ClosingLines, AreTwoAndShortWhateverTheyName) {
  ProcessTreeFigures figures = figures_of(
      {.passes = 1'000'000'000, .served = 1, .served_bytes = 1, .missed = 1, .missed_bytes = 1}, kSteady);
  figures.own.processes = 1234;
  figures.own.aside_passes = 1'000'000'000;
  figures.own.steady.kept = figures.own.steady.kept_bytes = 1;
  figures.other_passes = 1'000'000'000;
  figures.other_program = std::string(63, 'p');
  figures.own.slab_bytes = 1;
  figures.own.worth =
      "a request takes 123.4 % (101.1 to 134.5) more processor time than on the heap, 12345 page faults more (found earlier)";
  for (const std::size_t longest : {1U, 60U, 300U}) {
    const std::string name(longest, 'n');
    const std::vector<std::string> lines =
        closing_lines(figures, {.plan = name, .statistics = name, .arena_cure = std::string(80, 'c')});
    ASSERT_EQ(lines.size(), 2U);
    for (const std::string& line : lines) EXPECT_LE(line.size() + std::strlen("memomalloc: "), kLongestLine);
  }
}

TEST(Served, DiffersFromAnotherProcess) {
  const Served later{.passes = 3, .served = 30, .served_bytes = 300, .missed = 3, .missed_bytes = 30};
  const Served earlier{.passes = 1, .served = 10, .served_bytes = 100, .missed = 1, .missed_bytes = 10};
  EXPECT_EQ(later.since(earlier).served, 20U);
  EXPECT_EQ(later.since(earlier).missed_bytes, 20U);
  EXPECT_EQ(earlier.since(later).passes, 0U);
}

TEST(Served, ReadsStatisticsOfAnOlderVersion) {
  const auto old =
      nlohmann::ordered_json::parse(R"({"passes":2,"served":5,"fallback":{"no_lane":5},"served_bytes":9})");
  EXPECT_DOUBLE_EQ(planner::served_in_all(old).share(), 0.5);
  EXPECT_EQ(planner::served_when_steady(old).passes, 0U);
}

// A folder of pages, written as processes would.
class ProcessTrees : public ::testing::Test {
 protected:
  ProcessTrees() {
    std::string pattern = (fs::temp_directory_path() / "process-tree-test.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ProcessTrees() override { fs::remove_all(folder_); }

  void write_page(pid_t process, std::uint64_t passes, const char* state, const char* program = "server",
                  std::uint64_t heap = 0, const char* said = "") {
    static LivePage page;
    std::memcpy(page.magic, kLiveMagic, sizeof page.magic);
    page.version = kLiveVersion;
    page.bytes = sizeof page;
    page.process.process = static_cast<std::uint64_t>(process);
    page.process.parent = 77;
    std::strcpy(page.process.program, program);
    std::strcpy(page.process.said, said);
    page.gauges.has_heap = 1;
    page.gauges.heap_resident = heap;
    std::strcpy(page.gauges.state, state);
    page.counters.passes = passes;
    page.counters.served = 10 * passes;
    const fs::path beside = folder_ / "page.part";
    std::ofstream(beside, std::ios::binary).write(reinterpret_cast<const char*>(&page), sizeof page);
    fs::rename(beside, folder_ / (std::to_string(process) + ".1.live"));
  }

  // Waits until a line with these words was said.
  [[nodiscard]] bool hears(const std::string& words) {
    std::unique_lock lock(mutex_);
    return said_.wait_for(lock, std::chrono::seconds(30),
                          [&] { return lines_.find(words) != std::string::npos; });
  }
  std::function<void(const std::string&)> listener() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_ += line + "\n";
      said_.notify_all();
    };
  }

  fs::path folder_;
  std::mutex mutex_;
  std::condition_variable said_;
  std::string lines_;
};

TEST_F(ProcessTrees, HearEachChangeOnce) {
  ProcessTree tree(folder_, listener());
  write_page(getpid(), 1, "standing aside");
  EXPECT_TRUE(hears("standing aside"));
  write_page(getpid(), 2, "serving");
  EXPECT_TRUE(hears("serving"));
  EXPECT_EQ(tree.finish(77).own.all.passes, 2U);
  EXPECT_EQ(lines_.find("aside"), lines_.rfind("aside"));
}

TEST_F(ProcessTrees, KeepTheFiguresOfChildrenThatEnded) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  write_page(child, 5, "serving");
  write_page(getpid(), 2, "serving");
  ProcessTree tree(folder_, listener());
  const ProgramFigures figures = tree.finish(77).own;
  EXPECT_EQ(figures.processes, 2U);
  EXPECT_EQ(figures.all.passes, 7U);
  EXPECT_EQ(figures.all.served, 70U);
  EXPECT_FALSE(fs::exists(folder_ / (std::to_string(child) + ".1.live")));
  EXPECT_EQ(tree.last_of_child_of(77)->at("passes"), 5);
  EXPECT_FALSE(tree.last_of_child_of(78));
}

TEST_F(ProcessTrees, AreEmptyWithoutAPage) {
  std::ofstream(folder_ / "1.2.live") << "no page";
  ProcessTree tree(folder_, listener());
  EXPECT_EQ(tree.finish(77).own.processes, 0U);
}

// A compiler that a server runs must not stand for the server.
TEST_F(ProcessTrees, CountOtherProgramsApart) {
  write_page(getpid(), 4, "serving", "server", 100 << 20);
  write_page(getppid(), 3, "serving", "cc1plus", 7 << 20);
  ProcessTree tree(folder_, listener());
  const ProcessTreeFigures figures = tree.finish(77);
  EXPECT_EQ(figures.own.all.passes, 4U);
  EXPECT_EQ(figures.own.heap_resident, 100U << 20);
  EXPECT_EQ(figures.other_passes, 3U);
  EXPECT_EQ(figures.other_program, "cc1plus");
}

// The sizes are those of one process, whoever ended last.
TEST_F(ProcessTrees, HaveTheMemoryOfTheProcessWithMostPasses) {
  write_page(getpid(), 40, "serving", "server", 100 << 20);
  write_page(getppid(), 2, "serving", "server", 7 << 20);
  write_page(1, 1, "serving", "server", 900 << 20);
  ProcessTree tree(folder_, listener());
  EXPECT_EQ(tree.finish(77).own.heap_resident, 100U << 20);
}

TEST_F(ProcessTrees, SayWhatAProcessMayNotOnce) {
  ProcessTree tree(folder_, listener());
  write_page(getpid(), 1, "serving", "server", 0, "no such plan");
  EXPECT_TRUE(hears("no such plan"));
  write_page(getppid(), 1, "serving", "server", 0, "no such plan");
  EXPECT_EQ(tree.finish(77).own.processes, 2U);
  EXPECT_EQ(lines_.find("no such plan"), lines_.rfind("no such plan"));
}

}  // namespace
}  // namespace memo::status
