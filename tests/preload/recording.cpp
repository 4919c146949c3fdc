#include "tests/preload/recording.h"

#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

namespace memo::testing {

using mini::testing::Environment;

Environment recording_into(const TemporaryFolder& folder, const Environment& extra) {
  Environment all = {{"LD_PRELOAD", MEMO_LIBRARY},
                     {"MEMOMALLOC_MODE", "profile"},
                     {"MEMOMALLOC_TRACE", folder.file("%c.%p.trace")},
                     {"MEMOMALLOC_PASS_SYMBOLS", "hooked_pass"},
                     {"MEMOMALLOC_SCOPE_SYMBOLS", "hooked_scope*,hooked_jumping_scope"}};
  for (const auto& variable : extra) {
    std::erase_if(all, [&](const auto& known) { return known.first == variable.first; });
    all.push_back(variable);
  }
  return all;
}

Recording record(const std::vector<std::string>& command, const Environment& extra) {
  const TemporaryFolder folder;
  Recording recording;
  recording.status = mini::testing::run(command, recording_into(folder, extra)).status;
  for (const std::string& path : folder.traces()) recording.traces.push_back(planner::read_trace(path));
  return recording;
}

Recording record_scene(const std::string& scene, const Environment& extra) {
  return record({MEMO_SPECIMEN, scene, MEMO_LATE}, extra);
}

planner::Trace only_trace(Recording recording, const std::string& scene) {
  EXPECT_EQ(recording.status, 0) << scene;
  if (recording.traces.size() != 1) {
    ADD_FAILURE() << scene << " left " << recording.traces.size() << " traces";
    return {};
  }
  const planner::Trace& trace = recording.traces[0];
  EXPECT_EQ(trace.lost, 0U) << scene;
  EXPECT_EQ(trace.unmatched_frees, 0U) << scene;
  EXPECT_TRUE(trace.damage.empty()) << scene;
  EXPECT_TRUE(trace.ended) << scene;
  return std::move(recording.traces[0]);
}

planner::Trace trace_of(const std::string& scene, const Environment& extra) {
  return only_trace(record_scene(scene, extra), scene);
}

std::vector<planner::Bytes> sizes(const planner::Pass& pass) {
  std::vector<planner::Bytes> all;
  for (const planner::Allocation& made : pass.allocations) all.push_back(made.size);
  return all;
}

std::vector<std::string> scopes(const planner::Trace& trace, const planner::Pass& pass) {
  std::vector<std::string> all;
  for (const planner::Allocation& made : pass.allocations) {
    all.emplace_back(made.scope == planner::kNone ? "" : trace.name(pass.scopes[made.scope].name));
  }
  return all;
}

bool can_read_names() {
  char from = 'a';
  char to = 0;
  const iovec there{&from, 1};
  const iovec here{&to, 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

}  // namespace memo::testing
