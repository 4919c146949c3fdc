// Runs a program under the recorder and reads what it left.
#pragma once

#include <string>
#include <vector>

#include "planner/trace/trace.h"
#include "tests/preload/temporary_folder.h"
#include "tests/server/process.h"

namespace memo::testing {

// The variables that make a program record into the folder.
[[nodiscard]] mini::testing::Environment recording_into(const TemporaryFolder& folder,
                                                        const mini::testing::Environment& extra = {});

struct Recording {
  int status = 0;
  std::vector<planner::Trace> traces;
};

[[nodiscard]] Recording record(const std::vector<std::string>& command,
                               const mini::testing::Environment& extra = {});

// A scene of the specimen (tests/preload/programs/specimen.cpp).
[[nodiscard]] Recording record_scene(const std::string& scene, const mini::testing::Environment& extra = {});

// The one trace of a program that ended well, with nothing lost and nothing unmatched; fails the test otherwise.
[[nodiscard]] planner::Trace only_trace(Recording recording, const std::string& scene);

// The one trace of a scene that ends well, with nothing lost and nothing unmatched.
[[nodiscard]] planner::Trace trace_of(const std::string& scene, const mini::testing::Environment& extra = {});

// False under emulators that lack the call by which the library reads the names of layers and nodes.
[[nodiscard]] bool can_read_names();

// The sizes of a pass's allocations in their order, and the name of the scope of each, "" for none.
[[nodiscard]] std::vector<planner::Bytes> sizes(const planner::Pass& pass);
[[nodiscard]] std::vector<std::string> scopes(const planner::Trace& trace, const planner::Pass& pass);

}  // namespace memo::testing
