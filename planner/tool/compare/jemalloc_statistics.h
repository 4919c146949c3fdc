// Reads what jemalloc prints at a program's end: how long threads waited for its locks, and how often its
// thread caches held what a thread requested.
#pragma once

#include <optional>
#include <string_view>

namespace memo::compare {

// Settings for MALLOC_CONF that make jemalloc print the statistics.
inline constexpr std::string_view kPrintStatistics = "stats_print:true,stats_print_opts:Ja";

// jemalloc's count of waits (num_wait) is left out: in jemalloc 5.3.0 it repeats the count of operations.
struct JemallocStatistics {
  double lock_operations = 0;
  double lock_wait_seconds = 0;
  double cached_requests = 0;  // requests of sizes that thread caches hold
  double cache_fills = 0;      // how often a thread cache was empty
};

// Reads the statistics from a program's stderr. Returns nothing if jemalloc did not print them, or not
// completely.
[[nodiscard]] std::optional<JemallocStatistics> jemalloc_statistics(std::string_view errors);

}  // namespace memo::compare
