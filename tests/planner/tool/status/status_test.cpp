// Tests what is said about processes from outside: the closing line, the shares, the family of one program. Failure: a share
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

#include "planner/tool/status/closing_line.h"
#include "planner/tool/status/family.h"
#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

namespace fs = std::filesystem;
using planner::Served;

FamilyFigures figures_of(Served all, Served steady) {
  return {.processes = 1,
          .all = all,
          .steady = steady,
          .slab_bytes = 4 << 20,
          .heap_resident = 2 << 20,
          .plan = "a.plan"};
}

TEST(ClosingLine, SaysTheSteadyStateFirst) {
  const Served all{.passes = 10, .served = 700, .served_bytes = 7000, .missed = 300, .missed_bytes = 3000};
  const Served steady{.passes = 8, .served = 699, .served_bytes = 6990, .missed = 1, .missed_bytes = 10};
  EXPECT_EQ(
      closing_line(figures_of(all, steady)),
      "10 passes; in the steady state 99.9 % of the allocations and 99.9 % of the bytes were served (warm-up and passes "
      "without a plan: 2, 0.3 %); a slab of 4.00 MiB beside a heap of 2.00 MiB; the plan is a.plan");
}

TEST(ClosingLine, SaysWhenThereWasNothing) {
  EXPECT_EQ(closing_line({}), "no pass was served: none was seen");
  const Served all{.passes = 2, .served = 0, .served_bytes = 0, .missed = 30, .missed_bytes = 300};
  EXPECT_EQ(
      closing_line(figures_of(all, {})),
      "2 passes, and none after the warm-up with a plan: 0.0 % of the allocations and 0.0 % of the bytes were served");
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
class Families : public ::testing::Test {
 protected:
  Families() {
    std::string pattern = (fs::temp_directory_path() / "family-test.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Families() override { fs::remove_all(folder_); }

  void write_page(pid_t process, std::uint64_t passes, const char* state) {
    static LivePage page;
    std::memcpy(page.magic, kLiveMagic, sizeof page.magic);
    page.version = kLiveVersion;
    page.bytes = sizeof page;
    page.process.process = static_cast<std::uint64_t>(process);
    page.process.parent = 77;
    std::strcpy(page.process.program, "server");
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

TEST_F(Families, HearEachChangeOnce) {
  Family family(folder_, listener());
  write_page(getpid(), 1, "standing aside");
  EXPECT_TRUE(hears("standing aside"));
  write_page(getpid(), 2, "serving");
  EXPECT_TRUE(hears("serving"));
  EXPECT_EQ(family.finish().all.passes, 2U);
  EXPECT_EQ(lines_.find("aside"), lines_.rfind("aside"));
}

TEST_F(Families, KeepTheFiguresOfChildrenThatEnded) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  write_page(child, 5, "serving");
  write_page(getpid(), 2, "serving");
  Family family(folder_, listener());
  const FamilyFigures figures = family.finish();
  EXPECT_EQ(figures.processes, 2U);
  EXPECT_EQ(figures.all.passes, 7U);
  EXPECT_EQ(figures.all.served, 70U);
  EXPECT_FALSE(fs::exists(folder_ / (std::to_string(child) + ".1.live")));
  EXPECT_EQ(family.last_of_child_of(77)->at("passes"), 5);
  EXPECT_FALSE(family.last_of_child_of(78));
}

TEST_F(Families, AreEmptyWithoutAPage) {
  std::ofstream(folder_ / "1.2.live") << "no page";
  Family family(folder_, listener());
  EXPECT_EQ(family.finish().processes, 0U);
}

}  // namespace
}  // namespace memo::status
