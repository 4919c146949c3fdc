// Tells how much of what passes allocate was served, by count and by bytes: half of the bytes may go to the heap
// in one allocation of a thousand, so neither share says enough alone.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace memo::planner {

struct Served {
  std::uint64_t passes = 0;
  std::uint64_t served = 0, served_bytes = 0;
  std::uint64_t missed = 0, missed_bytes = 0;
  std::uint64_t kept = 0, kept_bytes = 0;  // of the missed, those that the program keeps beyond their pass

  [[nodiscard]] std::uint64_t allocations() const { return served + missed; }

  // Return shares from 0 to 1; 1 where nothing was allocated.
  [[nodiscard]] double share() const;
  [[nodiscard]] double share_of_bytes() const;
  [[nodiscard]] double lesser_share() const;

  // Returns these figures without what the program keeps beyond its passes: a cell would be lost to all later passes, so
  // that only a heap can hold it.
  [[nodiscard]] Served without_kept() const;

  Served& operator+=(const Served& more);
  // Returns what came since `earlier`; nothing if that is of another process.
  [[nodiscard]] Served since(const Served& earlier) const;
};

// Read the object that the library writes; figures that it lacks count as 0. The steady state is what comes after
// the warm-up that the plan knows.
[[nodiscard]] Served served_in_all(const nlohmann::ordered_json& statistics);
[[nodiscard]] Served served_when_steady(const nlohmann::ordered_json& statistics);

// Returns true if the slab is next to nothing beside what the heap holds: the plan may fit, and there is still little to gain.
[[nodiscard]] bool is_little_beside(std::uint64_t slab_bytes, std::uint64_t heap_resident);
inline constexpr char kLittleToGain[] =
    "passes use so little of what the program holds that there is little to gain";

// Returns "98.00 % of 500 allocations and 97.10 % of 3.20 MiB".
[[nodiscard]] std::string served_amounts(const Served& served);

// Returns "98.00 % of the allocations and 97.10 % of their bytes".
[[nodiscard]] std::string served_shares(const Served& served);

// Returns ", and 99.40 % and 97.90 % without what the program keeps beyond its passes", or "" where that is next to nothing.
[[nodiscard]] std::string shares_without_kept(const Served& served, int digits = 2);

}  // namespace memo::planner
