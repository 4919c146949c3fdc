// What jemalloc says of itself at a program's end: how long its locks were waited for, and how often its thread caches
// had what was asked for.
#pragma once

#include <optional>
#include <string_view>

namespace memo::compare {

// Added to MALLOC_CONF, they make jemalloc print what is read here.
inline constexpr std::string_view kPrintStatistics = "stats_print:true,stats_print_opts:Ja";

// Its count of waits (num_wait) is left out: in jemalloc 5.3.0 it repeats the count of operations.
struct JemallocStatistics {
  double lock_operations = 0;
  double lock_wait_seconds = 0;
  double cached_requests = 0;  // of sizes that thread caches hold
  double cache_fills = 0;      // how often one was empty
};

// From a program's stderr; nothing where jemalloc did not print, or not to the end.
[[nodiscard]] std::optional<JemallocStatistics> jemalloc_statistics(std::string_view errors);

}  // namespace memo::compare
