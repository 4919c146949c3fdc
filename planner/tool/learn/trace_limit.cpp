#include "planner/tool/learn/trace_limit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/system/regular_file.h"
#include "planner/system/whole_file.h"
#include "planner/tool/learn/kept_traces.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings = "settings.json";
constexpr const char* kLimit = "trace_limit";

struct KeptTrace {
  fs::path path;
  std::uint64_t bytes;
};

void add_traces_in(const fs::path& folder, std::vector<KeptTrace>& traces) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (KeptTraces::is_name_of_one(entry.path())) traces.push_back({entry.path(), entry.file_size(error)});
}

// Returns the traces of all plans, oldest first: their names begin with the time when they were kept.
std::vector<KeptTrace> traces_by_age(const fs::path& folder) {
  std::vector<KeptTrace> traces;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".traces") add_traces_in(entry.path(), traces);
  std::ranges::sort(traces, {}, [](const KeptTrace& trace) { return trace.path.filename(); });
  return traces;
}

}  // namespace

std::uint64_t trace_limit(const fs::path& folder) {
  try {
    const nlohmann::json settings = nlohmann::json::parse(process::read_regular_file(folder / kSettings));
    return settings.at(kLimit).get<std::uint64_t>();
  } catch (const std::exception&) {
    return kUsualTraceLimit;
  }
}

void set_trace_limit(const fs::path& folder, std::uint64_t bytes) {
  process::write_whole_file(folder / kSettings, nlohmann::json{{kLimit, bytes}}.dump() + "\n");
}

std::uint64_t apply_trace_limit(const fs::path& folder) {
  const std::vector<KeptTrace> traces = traces_by_age(folder);
  std::uint64_t bytes = 0;
  for (const KeptTrace& trace : traces) bytes += trace.bytes;
  const std::uint64_t before = bytes;
  const std::uint64_t limit = trace_limit(folder);
  for (const KeptTrace& trace : traces) {
    if (bytes <= limit) break;
    std::error_code error;
    if (fs::remove(trace.path, error)) bytes -= trace.bytes;
  }
  return before - bytes;
}

}  // namespace memo::learn
