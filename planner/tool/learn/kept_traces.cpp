#include "planner/tool/learn/kept_traces.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "planner/tool/learn/trace_limit.h"
#include "planner/trace/blocks.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

// Returns a name that sorts by age. The process id keeps two servers apart that share the cache and keep traces
// at the same time.
std::string name_for_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:016x}.{}.trace", std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
                     getpid());
}

bool begins_as_a_trace(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return planner::read_header(in).has_value();
}

}  // namespace

bool KeptTraces::is_name_of_one(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.find_first_not_of("0123456789abcdef") == 16 && name[16] == '.' && name.ends_with(".trace");
}

KeptTraces::KeptTraces(const fs::path& plan) : folder_(fs::path(plan).replace_extension(".traces")) {}

std::vector<fs::path> KeptTraces::all() const {
  std::vector<fs::path> traces;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end());
  return traces;
}

void KeptTraces::keep(const fs::path& trace) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::rename(trace, folder_ / name_for_now(), error);
  if (error) fs::remove(trace, error);
  const std::vector<fs::path> kept = all();
  for (std::size_t i = 0; i + kMost < kept.size(); ++i) fs::remove(kept[i], error);
  apply_trace_limit(folder_.parent_path());
}

std::uint64_t KeptTraces::bytes() const {
  std::uint64_t sum = 0;
  for (const fs::path& trace : all()) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(trace, error);
    if (!error) sum += bytes;
  }
  return sum;
}

void KeptTraces::forget_broken() const {
  for (const fs::path& trace : all()) {
    std::error_code error;
    if (!begins_as_a_trace(trace)) fs::remove(trace, error);
  }
}

void KeptTraces::forget() const {
  std::error_code error;
  fs::remove_all(folder_, error);
}

}  // namespace memo::learn
