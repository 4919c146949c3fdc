// The machine as far as serving depends on it: huge pages, overcommit, limits of memory and addresses, cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

struct Machine {
  std::string root;             // stands before every path of the kernel's: "" but in tests
  std::uint64_t address_space;  // what `ulimit -v` leaves; kUnlimited
  std::uint64_t memory;         // of the whole machine
  unsigned cores;               // that this process may run on
};
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

[[nodiscard]] Machine this_machine();

// What is to be served: bytes of one lane, and how many lanes; 0 lanes are as many as passes run at once.
struct Demand {
  std::uint64_t lane_bytes;
  std::uint64_t lanes;
};

// Without a demand only what holds for any plan.
[[nodiscard]] Findings examine(const Machine& machine, const std::optional<Demand>& demand);

}  // namespace memo::doctor
