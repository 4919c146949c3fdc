// How much of what passes allocate was served, by count and by bytes: half of the bytes may go to the heap in one
// allocation of a thousand, so neither share says enough alone.
#pragma once

#include <string>

namespace memo::planner {

struct ServedAmounts {
  double served = 0;
  double missed = 0;
  double served_bytes = 0;
  double missed_bytes = 0;

  // Both are 1 where nothing was allocated.
  [[nodiscard]] double by_count() const;
  [[nodiscard]] double by_bytes() const;
  [[nodiscard]] double lesser() const;
};

// Returns "98.00 % of 500 allocations and 97.10 % of 3.20 MiB".
[[nodiscard]] std::string served_amounts(const ServedAmounts& amounts);

// Returns "98.00 % of the allocations and 97.10 % of their bytes".
[[nodiscard]] std::string served_shares(const ServedAmounts& amounts);

}  // namespace memo::planner
