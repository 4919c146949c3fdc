// How much of a process's passes was served, by count and by bytes, in the steady state and in all.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace memo::status {

struct Served {
  std::uint64_t passes = 0;
  std::uint64_t served = 0, served_bytes = 0;
  std::uint64_t missed = 0, missed_bytes = 0;

  // Return shares from 0 to 1; 0 where nothing was asked for.
  [[nodiscard]] double share() const;
  [[nodiscard]] double share_of_bytes() const;

  Served& operator+=(const Served& more);
  // Returns what came since `earlier`; nothing if that is of another process.
  [[nodiscard]] Served since(const Served& earlier) const;
};

// Read the object that the library writes; figures that it lacks count as 0.
[[nodiscard]] Served served_in_all(const nlohmann::ordered_json& statistics);
[[nodiscard]] Served served_when_steady(const nlohmann::ordered_json& statistics);

// Returns "99.8 % of the allocations and 97.1 % of the bytes".
[[nodiscard]] std::string describe_shares(const Served& served);

}  // namespace memo::status
