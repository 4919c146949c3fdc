// Reads what jemalloc prints at a program's end: how long threads waited for its locks, and how often its
// thread caches held what a thread requested.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace memo::compare {

// Settings for MALLOC_CONF that make jemalloc print the statistics.
inline constexpr std::string_view kPrintStatistics = "stats_print:true,stats_print_opts:Ja";

// jemalloc's count of waits (num_wait) is left out: in jemalloc 5.3.0 it repeats the count of operations.
struct LockSums {
  double operations = 0;
  double wait_seconds = 0;
  double longest_wait_seconds = 0;  // of one thread

  void add(const LockSums& more);
};

struct JemallocStatistics {
  std::map<std::string, LockSums>
      locks;  // by jemalloc's name for the lock; "bins" are the locks of all size classes
  double arenas = 0;
  double cached_bytes = 0;  // in thread caches, at the program's end
  bool has_caches = false;
  double cached_requests = 0;  // requests of sizes that thread caches hold
  double cache_fills = 0;      // how often a thread cache was empty

  [[nodiscard]] LockSums all_locks() const;
  // Returns the share of requests that a thread cache held; nothing where there is no cache, or no request.
  [[nodiscard]] std::optional<double> cache_hits() const;
};

// Reads the statistics from a program's stderr. Returns nothing if jemalloc did not print them, or not
// completely.
[[nodiscard]] std::optional<JemallocStatistics> jemalloc_statistics(std::string_view errors);

}  // namespace memo::compare
