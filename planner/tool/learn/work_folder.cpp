#include "planner/tool/learn/work_folder.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/plan_record.h"
#include "planner/tool/served/found_worth.h"
#include "runtime/formats/recording_claim.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargeTrace = std::uintmax_t{56} << 20;  // bytes; the limit of a trace is 64 MiB
constexpr const char* kPlanOfNoCache = "the.plan";  // the same name as in preload/modes/auto/own_planner.cpp

// Returns true if the file is a trace. The names of later traces end in a dot and a number.
bool is_trace(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().filename().string().find(".trace") != std::string::npos && entry.is_regular_file(error);
}

}  // namespace

std::vector<fs::path> traces_in(const fs::path& work) {
  std::vector<fs::path> traces;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(work, error))
    if (is_trace(entry)) traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end());
  return traces;
}

bool is_full(const fs::path& trace) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(trace, error);
  return !error && bytes >= kLargeTrace;
}

void clear_work_folder(const fs::path& work) {
  std::error_code error;
  for (const fs::path& trace : traces_in(work)) fs::remove(trace, error);
  for (const char* made : {kMadePlan, kPlannerOutput, kPlannerErrors, kPlanOfNoCache, claim::kFileName})
    fs::remove(work / made, error);
  fs::remove(planner::found_worth_path(work / kPlanOfNoCache), error);
  remove_record(work / kPlanOfNoCache);
  KeptTraces(work / kPlanOfNoCache).forget();
  fs::remove(work, error);
}

}  // namespace memo::learn
