#include "planner/tool/compare/jemalloc_statistics.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace memo::compare {
namespace {

using Json = nlohmann::json;

constexpr double kNanoseconds = 1e-9;

// Adds up all locks. Every object with a waiting time is a lock: jemalloc's own, each arena's, each bin's.
void add_locks(const Json& value, JemallocStatistics& sums) {
  if (value.is_object() && value.contains("total_wait_time")) {
    sums.lock_operations += value.value("num_ops", 0.0);
    sums.lock_wait_seconds += value.value("total_wait_time", 0.0) * kNanoseconds;
  } else if (value.is_structured()) {
    for (const Json& inner : value) add_locks(inner, sums);
  }
}

void add_caches(const Json& bins, JemallocStatistics& sums) {
  for (const Json& bin : bins) {
    sums.cached_requests += bin.value("nrequests", 0.0);
    sums.cache_fills += bin.value("nfills", 0.0);
  }
}

}  // namespace

std::optional<JemallocStatistics> jemalloc_statistics(std::string_view errors) {
  const std::size_t begin = errors.find("{\"jemalloc\"");
  if (begin == std::string_view::npos) return std::nullopt;
  std::istringstream text{std::string(errors.substr(begin))};
  Json printed;
  try {
    text >> printed;  // reads one value only, since the program may have written more after it
    const Json& jemalloc = printed.at("jemalloc");
    JemallocStatistics sums;
    add_locks(jemalloc.at("stats"), sums);
    const Json& merged = jemalloc.at("stats.arenas").at("merged");
    add_locks(merged, sums);
    add_caches(merged.at("bins"), sums);
    return sums;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace memo::compare
