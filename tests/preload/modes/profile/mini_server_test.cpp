// The embedded server under the recorder, held against its counting build, which stands in front of the recorder and
// counts by itself what each pass allocates and frees.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/preload/recording.h"

namespace memo::testing {
namespace {

using mini::testing::Environment;
using mini::testing::MiniServer;
using planner::Allocation;
using planner::Pass;
using planner::Trace;

struct PassCount {
  std::uint64_t allocations;
  std::uint64_t bytes;
  std::uint64_t frees;
  friend auto operator<=>(const PassCount&, const PassCount&) = default;
};

std::vector<PassCount> counted_passes(const std::string& report) {
  std::vector<PassCount> counts;
  std::ifstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json pass = nlohmann::json::parse(line);
    counts.push_back({pass["allocations"], pass["bytes"], pass["frees"]});
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

std::vector<PassCount> recorded_passes(const Trace& trace) {
  std::vector<PassCount> counts;
  for (const Pass& pass : trace.passes) {
    PassCount count{pass.allocations.size(), static_cast<std::uint64_t>(bytes_requested(pass)), 0};
    for (const Allocation& made : pass.allocations) count.frees += made.freed && !made.escapes ? 1 : 0;
    counts.push_back(count);
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

Environment counting_and_recording(const TemporaryFolder& folder) {
  return recording_into(folder, {{"LD_PRELOAD", std::string(MINI_COUNT_LIBRARY) + ":" + MEMO_LIBRARY},
                                 {"MINI_COUNT", folder.file("counts")}});
}

class MiniServerProfile : public ::testing::TestWithParam<int> {};

// With any number of workers and two shapes of request: every pass the program made is in the trace, with as many
// allocations, bytes and frees as the program counted. Nothing lost, nothing unmatched.
TEST_P(MiniServerProfile, HasExactlyWhatTheProgramAllocated) {
  const TemporaryFolder folder;
  MiniServer server({"--threads", std::to_string(GetParam())}, counting_and_recording(folder));
  ASSERT_EQ(server
                .load({"--connections", std::to_string(GetParam()), "--requests", "24", "--warmup", "0",
                       "--shape", "1x32", "2x32"})
                .status,
            0);
  ASSERT_EQ(server.stop().status, 0);
  ASSERT_EQ(folder.traces().size(), 1U);
  const Trace trace = planner::read_trace(folder.traces()[0]);
  EXPECT_GE(trace.passes.size(), 24U);
  EXPECT_EQ(recorded_passes(trace), counted_passes(folder.file("counts")));
  EXPECT_EQ(trace.lost, 0U);
  EXPECT_EQ(trace.unmatched_frees, 0U);
  EXPECT_TRUE(trace.damage.empty());
  for (const Pass& pass : trace.passes) EXPECT_TRUE(pass.complete);
}

INSTANTIATE_TEST_SUITE_P(Workers, MiniServerProfile, ::testing::Values(1, 2, 8));

// Passes of one shape have one fingerprint, of two shapes two; operators carry their names.
TEST(MiniServerProfileNames, TellsShapesApartAndNamesOperators) {
  const TemporaryFolder folder;
  MiniServer server({"--threads", "2"}, recording_into(folder));
  ASSERT_EQ(server.load({"--requests", "8", "--warmup", "0", "--shape", "1x32", "2x32"}).status, 0);
  ASSERT_EQ(server.stop().status, 0);
  ASSERT_EQ(folder.traces().size(), 1U);
  const Trace trace = planner::read_trace(folder.traces()[0]);
  std::map<std::uint64_t, std::size_t> prints;
  for (const Pass& pass : trace.passes) ++prints[fingerprint(trace, pass)];
  EXPECT_EQ(prints.size(), 2U);
  EXPECT_NE(std::find(trace.names.begin(), trace.names.end(), "mini_op_conv2d"), trace.names.end());
}

// Looks again and again: the server does not say when it has written its report.
bool reaches(const std::string& report, std::size_t passes) {
  for (int i = 0; i < 2000; ++i) {
    if (counted_passes(report).size() >= passes) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// SIGKILL in the middle of the load: every pass that was over is in the file, whole, except the last of each worker,
// whose end is noticed only when its thread goes on.
TEST(MiniServerProfileKill, KeepsEveryFinishedPass) {
  const TemporaryFolder folder;
  constexpr std::size_t kWorkers = 2;
  MiniServer server({"--threads", std::to_string(kWorkers)}, counting_and_recording(folder));
  std::thread load([&server] { static_cast<void>(server.load({"--seconds", "20", "--shape", "1x32"})); });
  const bool started = reaches(folder.file("counts"), 10);
  server.process().signal(SIGKILL);
  EXPECT_EQ(server.process().wait().status, 128 + SIGKILL);
  load.join();
  ASSERT_TRUE(started);
  ASSERT_EQ(folder.traces().size(), 1U);
  const Trace trace = planner::read_trace(folder.traces()[0]);
  const std::vector<PassCount> counted = counted_passes(folder.file("counts"));
  const auto complete = static_cast<std::size_t>(std::count_if(
      trace.passes.begin(), trace.passes.end(), [](const Pass& pass) { return pass.complete; }));
  EXPECT_GE(complete + kWorkers, counted.size());
  EXPECT_FALSE(trace.ended);
  EXPECT_EQ(trace.lost, 0U);
  for (const Pass& pass : trace.passes) {
    if (!pass.complete) continue;
    EXPECT_EQ(pass.allocations.size(), counted[0].allocations);
    for (const Allocation& made : pass.allocations) EXPECT_TRUE(made.freed);
  }
}

}  // namespace
}  // namespace memo::testing
