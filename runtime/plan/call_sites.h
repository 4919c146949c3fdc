// Where the binaries that a plan knows are loaded in this process.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Writes the absolute address of each site, kNoSite where its module is not loaded, and returns the number of
// modules that are not. A module matches by build-id; without one, by path; with neither, its sites are absolute.
std::uint32_t locate_modules(const PlanFile& file, std::atomic<std::uint64_t>* addresses);

}  // namespace memo::runtime
