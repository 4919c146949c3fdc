// Tells the variant for workers from those for passes.
#pragma once

#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::planner {

[[nodiscard]] constexpr bool is_key_of_workers(std::uint64_t pass_key) {
  return pass_key == kWorkerPassKey;
}

}  // namespace memo::planner
