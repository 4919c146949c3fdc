#include "planner/tool/compare/jemalloc_statistics.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace memo::compare {
namespace {

using Json = nlohmann::json;

constexpr double kNanoseconds = 1e-9;

LockSums sums_of(const Json& lock) {
  return {.operations = lock.value("num_ops", 0.0),
          .wait_seconds = lock.value("total_wait_time", 0.0) * kNanoseconds,
          .longest_wait_seconds = lock.value("max_wait_time", 0.0) * kNanoseconds};
}

void add_named_locks(const Json& mutexes, JemallocStatistics& statistics) {
  for (const auto& [name, lock] : mutexes.items()) statistics.locks[name].add(sums_of(lock));
}

void add_bins(const Json& bins, JemallocStatistics& statistics) {
  for (const Json& bin : bins) {
    statistics.cached_requests += bin.value("nrequests", 0.0);
    statistics.cache_fills += bin.value("nfills", 0.0);
    statistics.locks["bins"].add(sums_of(bin.at("mutex")));
  }
}

JemallocStatistics read(const Json& jemalloc) {
  const Json& merged = jemalloc.at("stats.arenas").at("merged");
  JemallocStatistics statistics;
  statistics.arenas = jemalloc.at("arenas").value("narenas", 0.0);
  statistics.has_caches = jemalloc.at("opt").value("tcache", false);
  statistics.cached_bytes = merged.value("tcache_bytes", 0.0);
  add_named_locks(jemalloc.at("stats").at("mutexes"), statistics);
  add_named_locks(merged.at("mutexes"), statistics);
  add_bins(merged.at("bins"), statistics);
  return statistics;
}

}  // namespace

void LockSums::add(const LockSums& more) {
  operations += more.operations;
  wait_seconds += more.wait_seconds;
  longest_wait_seconds = std::max(longest_wait_seconds, more.longest_wait_seconds);
}

LockSums JemallocStatistics::all_locks() const {
  LockSums all;
  for (const auto& [name, sums] : locks) all.add(sums);
  return all;
}

std::optional<double> JemallocStatistics::cache_hits() const {
  if (!has_caches || cached_requests == 0) return std::nullopt;
  return 1 - cache_fills / cached_requests;
}

std::optional<JemallocStatistics> jemalloc_statistics(std::string_view errors) {
  const std::size_t begin = errors.find("{\"jemalloc\"");
  if (begin == std::string_view::npos) return std::nullopt;
  std::istringstream text{std::string(errors.substr(begin))};
  Json printed;
  try {
    text >> printed;  // reads one value only, since the program may have written more after it
    return read(printed.at("jemalloc"));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace memo::compare
