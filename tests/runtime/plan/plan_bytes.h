// Plans as bytes, to be damaged.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/formats/plan_format.h"
#include "runtime/plan/plan_check.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime::testing {

using Bytes = std::vector<unsigned char>;

inline Bytes some_plan() {
  return planner::encode_plan(PlanDice(2).draw());
}

// Returns what the check says, "" when it accepts.
inline std::string complaint(const Bytes& bytes) {
  PlanFault why{};
  return check_plan({bytes.data(), bytes.size()}, &why) ? "" : why.text;
}

inline void seal(Bytes& bytes) {
  const std::uint64_t sum =
      plan_checksum(bytes.data() + kPlanChecksumStart, bytes.size() - kPlanChecksumStart);
  std::memcpy(bytes.data() + offsetof(PlanHeader, checksum), &sum, sizeof sum);
}

inline PlanHeader header_of(const Bytes& bytes) {
  PlanHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

inline void set_header(Bytes& bytes, const PlanHeader& header) {
  std::memcpy(bytes.data(), &header, sizeof header);
}

}  // namespace memo::runtime::testing
