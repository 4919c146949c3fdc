// The page that others read: it is always true, also while it moves into its file, while it changes, and when its process is
// killed. Failure: a count is lost, a reader sees half of a change, a copy of the process counts for its parent.
#include "runtime/serving/live_page.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "planner/tool/status/live_pages.h"
#include "planner/tool/status/release_request.h"
#include "runtime/serving/pass_memory.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {
namespace {

namespace fs = std::filesystem;

class LivePages : public ::testing::Test {
 protected:
  LivePages() {
    std::string pattern = (fs::temp_directory_path() / "live-page-test.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~LivePages() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string page() const { return folder_ / "1.live"; }
  [[nodiscard]] std::uint64_t published(const char* figure) const {
    const auto statistics = status::read_live_page(page());
    return statistics ? statistics->at(figure).get<std::uint64_t>() : ~std::uint64_t{0};
  }

  fs::path folder_;
};

TEST_F(LivePages, TakeTheCountsAlong) {
  add(statistics().passes, 3);
  ASSERT_TRUE(publish_live_page(page().c_str()));
  EXPECT_EQ(published("passes"), 3U);
  add(statistics().passes, 4);
  EXPECT_EQ(published("passes"), 7U);
}

TEST_F(LivePages, TakeWhatPassesTookAlong) {
  count_pass_memory(5000);
  ASSERT_TRUE(publish_live_page(page().c_str()));
  count_pass_memory(5000);
  count_pass_memory(std::uint64_t{1} << 40);
  const auto statistics = status::read_live_page(page());
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->at("pass_memory").at("up_to"), (nlohmann::ordered_json{{"8192", 2}, {"more", 1}}));
}

TEST_F(LivePages, LoseNoCountOfAnotherThread) {
  constexpr std::uint64_t kCounts = 300'000;
  std::atomic<bool> counts{false};
  std::thread other([&] {
    for (std::uint64_t number = 0; number < kCounts; ++number) {
      add(statistics().served, 1);
      counts = true;
    }
  });
  while (!counts) std::this_thread::yield();
  ASSERT_TRUE(publish_live_page(page().c_str()));
  other.join();
  // A count that its thread began before the page moved may end after the last look at the old one.
  EXPECT_GE(statistics().served + 1, kCounts);
  EXPECT_EQ(published("served"), statistics().served);
}

TEST_F(LivePages, ReplaceWhatAKilledProcessLeft) {
  std::ofstream(page()) << "left over";
  ASSERT_TRUE(publish_live_page(page().c_str()));
  EXPECT_EQ(published("passes"), 0U);
}

TEST_F(LivePages, StayPrivateWhereNoFileCanBe) {
  EXPECT_FALSE(publish_live_page((folder_ / "no/folder/1.live").c_str()));
  EXPECT_FALSE(is_live_page_published());
  add(statistics().passes, 1);
  EXPECT_EQ(statistics().passes, 1U);
}

// Every figure of a change is the same number: a reader that sees two numbers has seen half of a change.
TEST_F(LivePages, AreNeverReadInTheMiddleOfAChange) {
  ASSERT_TRUE(publish_live_page(page().c_str()));
  std::atomic<bool> over{false};
  std::thread writer([&] {
    for (std::uint64_t number = 1; !over; ++number) {
      LiveGauges gauges{};
      gauges.slab_bytes = gauges.lanes = gauges.pinned = gauges.worker_lanes = gauges.lanes_used = number;
      update_gauges(gauges);
      std::this_thread::yield();
    }
  });
  for (int reading = 0; reading < 2000; ++reading) {
    const auto seen = status::read_live_page(page());
    if (!seen) continue;
    EXPECT_EQ(seen->at("slab_bytes"), seen->at("worker_lanes"));
    EXPECT_EQ(seen->at("lanes"), seen->at("pinned"));
    EXPECT_EQ(seen->at("slab_bytes"), seen->at("lanes_used"));
  }
  over = true;
  writer.join();
}

TEST_F(LivePages, OutliveAProcessThatIsKilled) {
  const pid_t child = fork();
  if (child == 0) {
    if (!publish_live_page(page().c_str())) _exit(1);
    add(statistics().passes, 12);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(published("passes"), 12U);
}

TEST_F(LivePages, ACopyOfTheProcessCountsForItself) {
  ASSERT_TRUE(publish_live_page(page().c_str()));
  add(statistics().passes, 2);
  const pid_t child = fork();
  if (child == 0) {
    leave_live_page();
    add(statistics().passes, 100);
    _exit(statistics().passes == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(published("passes"), 2U);
}

// The word changes and nothing else; whoever asks learns whether it was heard.
TEST_F(LivePages, AreWhereIdleMemoryIsAskedFor) {
  using status::Released;
  ASSERT_TRUE(publish_live_page(page().c_str()));
  add(statistics().passes, 5);
  LivePage& mine = live_page();
  EXPECT_EQ(status::ask_for_release(page(), std::chrono::milliseconds(0)), Released::kNotYet);
  EXPECT_NE(mine.release_asked.load(), mine.release_done.load());
  std::atomic<bool> over{false};
  std::thread heeds([&] {
    while (!over) mine.release_done.store(mine.release_asked.load());
  });
  EXPECT_EQ(status::ask_for_release(page(), std::chrono::minutes(1)), Released::kDone);
  over = true;
  heeds.join();
  EXPECT_EQ(published("passes"), 5U);
  mine.version = kLiveVersion + 1;
  EXPECT_EQ(status::ask_for_release(page(), std::chrono::milliseconds(0)), Released::kNoPage);
  EXPECT_EQ(status::ask_for_release(folder_ / "none", std::chrono::milliseconds(0)), Released::kNoPage);
  EXPECT_EQ(status::ask_for_release(folder_, std::chrono::milliseconds(0)), Released::kNoPage);
}

// Another user's page may hold anything: texts without an end, a layout of another version, nothing at all.
TEST_F(LivePages, OfOthersAreReadWithCare) {
  ASSERT_TRUE(publish_live_page(page().c_str()));
  LivePage& mine = live_page();
  std::fill(std::begin(mine.gauges.plan), std::end(mine.gauges.plan), 'x');
  std::fill(std::begin(mine.gauges.state), std::end(mine.gauges.state), '"');
  ASSERT_TRUE(status::read_live_page(page()));
  EXPECT_EQ(status::read_live_page(page())->at("plan").get<std::string>().size(),
            sizeof mine.gauges.plan - 1);
  mine.version = kLiveVersion + 1;
  EXPECT_FALSE(status::read_live_page(page()));
  mine.version = kLiveVersion;
  mine.sequence.store(1, std::memory_order_relaxed);  // in the middle of a change
  mine.process.process = static_cast<std::uint64_t>(getpid());
  EXPECT_FALSE(status::read_live_page(page()));
  mine.process.process = 0x7ffffffe;  // no process has this number: its writer was killed
  EXPECT_TRUE(status::read_live_page(page()));
  fs::resize_file(page(), 100);
  EXPECT_FALSE(status::read_live_page(page()));
}

}  // namespace
}  // namespace memo::runtime
