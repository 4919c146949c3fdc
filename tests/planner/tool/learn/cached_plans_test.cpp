// Tests what is kept beside plans: records that never harm a file of somebody else's, and traces that keep to a limit. Failure:
// a plan or a foreign file is deleted, or the newest traces go before the oldest.
#include "planner/tool/learn/cached_plans.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/trace_limit.h"
#include "runtime/formats/trace_format.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  Cache() {
    std::string pattern = (fs::temp_directory_path() / "cache-test.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Cache() override { fs::remove_all(folder_); }

  fs::path write(const fs::path& name, std::size_t bytes) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << std::string(bytes, 'x');
    return folder_ / name;
  }
  static CachedPlan plan_named(const std::string& program) {
    CachedPlan plan;
    plan.name = program + ".0123456789abcdef.plan";
    plan.program = program;
    return plan;
  }

  fs::path folder_;
};

TEST_F(Cache, LetsTheOldestTracesOfAllPlansGo) {
  const fs::path plan = write("a.plan", 500);
  const fs::path oldest = write("a.traces/0000000000000001.7.trace", 100);
  const fs::path newest = write("a.traces/0000000000000009.7.trace", 100);
  const fs::path between = write("b.traces/0000000000000005.7.trace", 100);
  set_trace_limit(folder_, 250);
  EXPECT_EQ(apply_trace_limit(folder_), 100U);
  EXPECT_FALSE(fs::exists(oldest));
  set_trace_limit(folder_, 100);
  EXPECT_EQ(apply_trace_limit(folder_), 100U);
  EXPECT_FALSE(fs::exists(between));
  EXPECT_TRUE(fs::exists(newest));
  set_trace_limit(folder_, 0);
  EXPECT_EQ(apply_trace_limit(folder_), 100U);
  EXPECT_TRUE(fs::exists(plan));
}

// Writes the header of a block without a payload.
void write_header(const fs::path& file, std::uint32_t magic, std::uint16_t version) {
  trace::BlockHeader header{};
  header.magic = magic;
  header.version = version;
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(&header), sizeof header);
}

TEST_F(Cache, ForgetsKeptTracesThatThisReleaseCannotRead) {
  const fs::path good = write("a.traces/0000000000000001.7.trace", 0);
  const fs::path other = write("a.traces/0000000000000002.7.trace", 0);
  const fs::path none = write("a.traces/0000000000000003.7.trace", 100);
  const fs::path cut = write("a.traces/0000000000000004.7.trace", 5);
  write_header(good, trace::kMagic, trace::kVersion);
  write_header(other, trace::kMagic, trace::kVersion + 1);
  KeptTraces(folder_ / "a.plan").forget_broken();
  EXPECT_TRUE(fs::exists(good));
  for (const fs::path& gone : {other, none, cut}) EXPECT_FALSE(fs::exists(gone)) << gone;
}

TEST_F(Cache, DeletesNoFileThatItHasNotKept) {
  const fs::path foreign = write("mine.traces/results.trace", 100);
  set_trace_limit(folder_, 0);
  EXPECT_EQ(apply_trace_limit(folder_), 0U);
  EXPECT_TRUE(fs::exists(foreign));
}

TEST_F(Cache, AppliesTheLimitWhenATraceIsKept) {
  const fs::path oldest = write("a.traces/0000000000000001.7.trace", 100);
  set_trace_limit(folder_, 150);
  const KeptTraces kept(folder_ / "b.plan");
  kept.keep(write("work/new.trace", 100));
  EXPECT_FALSE(fs::exists(oldest));
  EXPECT_EQ(kept.all().size(), 1U);
  EXPECT_EQ(kept.bytes(), 100U);
}

TEST_F(Cache, HasAUsualLimitWithoutSettingsAndWithBrokenOnes) {
  EXPECT_EQ(trace_limit(folder_), kUsualTraceLimit);
  write("settings.json", 10);
  EXPECT_EQ(trace_limit(folder_), kUsualTraceLimit);
  set_trace_limit(folder_, 77);
  EXPECT_EQ(trace_limit(folder_), 77U);
}

TEST_F(Cache, RecordsWhatAPlanWasMadeFor) {
  const fs::path plan = write("a.plan", 1);
  EXPECT_FALSE(read_record(plan));
  record_plan(plan, {{"server", "--name", "\xff"}, "/srv"});
  const std::optional<PlanRecord> record = read_record(plan);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->origin.folder, "/srv");
  EXPECT_EQ(record->origin.command.size(), 3U);
  EXPECT_EQ(record->version, MEMOMALLOC_VERSION);
  remove_record(plan);
  EXPECT_FALSE(fs::exists(record_path(plan)));
}

TEST_F(Cache, LeavesAFileAloneThatIsNoRecord) {
  const fs::path plan = write("server.plan", 1);
  const fs::path settings = write("server.json", 30);
  record_plan(plan, {{"server"}, "/srv"});
  record_use(plan, {{"server"}, "/srv"});
  remove_record(plan);
  EXPECT_EQ(fs::file_size(settings), 30U);
}

TEST_F(Cache, FindsWhatIsLeftOfPlansThatAreGone) {
  write("a.plan", 1);
  write("a.traces/0000000000000001.7.trace", 1);
  const fs::path left = write("b.traces/0000000000000001.7.trace", 1).parent_path();
  record_plan(folder_ / "c.plan", {{"c"}, "/"});
  write("settings.json", 1);
  write("a.plan.worth", 1);
  write("notes.worth", 1);
  const fs::path half = write("a.plan.worth.4711.part", 1);
  const fs::path found = write("d.plan.worth", 1);
  EXPECT_EQ(leftovers(folder_), (std::vector<fs::path>{half, left, folder_ / "c.json", found}));
}

TEST_F(Cache, RemovesAPlanWithWhatWasFoundOfIt) {
  CachedPlan plan;
  plan.path = write("a.plan", 1);
  const fs::path found = write("a.plan.worth", 1);
  const fs::path of_another = write("b.plan.worth", 1);
  remove_plan(plan);
  EXPECT_FALSE(fs::exists(plan.path));
  EXPECT_FALSE(fs::exists(found));
  EXPECT_TRUE(fs::exists(of_another));
}

TEST_F(Cache, KnowsNamesThatAreMuchAlike) {
  const std::vector<CachedPlan> plans = {plan_named("python3.11-app.py"), plan_named("server"),
                                         plan_named("other")};
  EXPECT_EQ(similar_names(plans, "sevrer"), std::vector<std::string>{plans[1].name});
  EXPECT_EQ(similar_names(plans, "app.py"), std::vector<std::string>{plans[0].name});
  EXPECT_TRUE(similar_names(plans, "nginx").empty());
}

}  // namespace
}  // namespace memo::learn
