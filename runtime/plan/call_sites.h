// The addresses at which this process has loaded the binaries that a plan knows.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Writes the absolute address of each site, kNoSite if its module is not loaded. Returns how many modules are
// not loaded. A module matches by build-id; without one, by path. The sites of a module with neither are
// absolute addresses.
std::uint32_t locate_modules(const PlanFile& file, std::atomic<std::uint64_t>* addresses);

}  // namespace memo::runtime
