#include "planner/tool/learn/cached_plans.h"

#include <algorithm>
#include <numeric>

#include "planner/plan/plan_reader.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/plan_cache.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSimilar = 3;

// Returns "server" for "server.0123456789abcdef.plan".
std::string program_in(const fs::path& plan) {
  return fs::path(plan.stem()).stem().string();
}

void describe_content(CachedPlan& plan) {
  plan.stale = why_stale(plan.path);
  try {
    const planner::PlanDescription content = planner::read_plan(plan.path);
    plan.variants = content.variants.size();
    for (const planner::PlanVariantDescription& variant : content.variants) plan.shapes += variant.shapes;
  } catch (const std::exception&) {
    return;  // `stale` says that it is broken
  }
}

CachedPlan describe(const fs::path& path) {
  CachedPlan plan;
  plan.path = path;
  plan.name = path.filename().string();
  plan.program = program_in(path);
  plan.record = read_record(path);
  plan.made = time_of_change(path);
  if (plan.record) plan.used = time_of_change(record_path(path));
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  plan.bytes = error ? 0 : bytes;
  const KeptTraces traces(path);
  plan.traces = traces.all();
  plan.trace_bytes = traces.bytes();
  plan.worth = planner::read_found_worth(path);
  describe_content(plan);
  return plan;
}

// Returns what stands in the place of a plan. Nothing where there is a plan, or no verdict that can be read.
std::optional<CachedPlan> describe_verdict(const fs::path& file) {
  CachedPlan plan;
  plan.path = fs::path(file).replace_extension(".plan");
  plan.verdict = read_verdict(plan.path);
  std::error_code error;
  if (!plan.verdict || fs::exists(plan.path, error)) return std::nullopt;
  plan.name = plan.path.filename().string();
  plan.program = program_in(plan.path);
  plan.record = plan.verdict->record;
  plan.made = time_of_change(file);
  plan.stale = "nothing was learned: " + plan.verdict->why;
  return plan;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the plan that the file is kept beside; an empty path for a plan, and for what is not its own.
fs::path plan_beside(const fs::path& file) {
  fs::path plan = fs::path(file).replace_extension(".plan");
  if (file.extension() == ".traces" || (file.extension() == ".json" && read_record(plan))) return plan;
  const fs::path whole_name = fs::path(file).replace_extension();
  return whole_name.extension() == ".plan" && file == planner::found_worth_path(whole_name) ? whole_name
                                                                                            : fs::path();
}

// Returns true for a partial file: the library was killed while it wrote (preload/platform/whole_file.h).
bool is_half_written_finding(const fs::path& file) {
  return file.extension() == ".part" && file.string().find(".plan.worth.") != std::string::npos;
}

// Returns how many characters must be added, removed or replaced to make one text of the other.
std::size_t distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[to.size()];
}

// Returns how little alike they are. A name that contains the text is always like it.
std::size_t unlikeness(const CachedPlan& plan, const std::string& text) {
  if (plan.name.find(text) != std::string::npos) return 0;
  return std::min(distance(text, plan.name), distance(text, plan.program));
}

}  // namespace

std::vector<CachedPlan> cached_plans(const fs::path& folder) {
  std::vector<CachedPlan> plans;
  for (const fs::path& file : files_in(folder)) {
    if (file.extension() == ".plan") plans.push_back(describe(file));
    if (file != verdict_path(file)) continue;
    if (std::optional<CachedPlan> unlearned = describe_verdict(file)) plans.push_back(*std::move(unlearned));
  }
  return plans;
}

std::vector<fs::path> leftovers(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::path& file : files_in(folder)) {
    const fs::path plan = plan_beside(file);
    std::error_code error;
    const bool is_orphan = !plan.empty() && !fs::exists(fs::symlink_status(plan, error));
    if (is_orphan || is_half_written_finding(file)) found.push_back(file);
  }
  return found;
}

void remove_plan(const CachedPlan& plan) {
  fs::remove(plan.path);
  fs::remove_all(fs::path(plan.path).replace_extension(".traces"));
  remove_record(plan.path);
  remove_verdict(plan.path);
  fs::remove(planner::found_worth_path(plan.path));
}

std::vector<std::string> similar_names(const std::vector<CachedPlan>& plans, const std::string& name) {
  std::vector<std::pair<std::size_t, std::string>> by_likeness;
  for (const CachedPlan& plan : plans) {
    const std::size_t unlike = unlikeness(plan, name);
    if (unlike <= name.size() / 3) by_likeness.emplace_back(unlike, plan.name);
  }
  std::sort(by_likeness.begin(), by_likeness.end());
  std::vector<std::string> names;
  for (const auto& [unlike, similar] : by_likeness)
    if (names.size() < kMostSimilar) names.push_back(similar);
  return names;
}

}  // namespace memo::learn
