// Examines what serving needs of the machine: huge pages, overcommit, limits of memory and addresses, cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

struct Machine {
  std::string root;             // a prefix of every path in /proc and /sys; "" except in tests
  std::uint64_t address_space;  // bytes that `ulimit -v` leaves, or kUnlimited
  std::uint64_t memory;         // bytes of the whole machine
  unsigned cores;               // the cores that this process may run on
};
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

[[nodiscard]] Machine this_machine();

// The memory that a plan needs: the bytes of one lane, and the number of lanes. 0 lanes means one for each pass
// that runs at the same time.
struct Demand {
  std::uint64_t lane_bytes;
  std::uint64_t lanes;
};

// Examines the machine. Without a demand, returns only the findings that hold for any plan.
[[nodiscard]] Findings examine(const Machine& machine, const std::optional<Demand>& demand);

}  // namespace memo::doctor
