// The kernel's clocks, in nanoseconds. No reading fails or allocates; ticks.h has the processor's own counter.
#pragma once

#include <cstdint>

namespace memo::runtime {

inline constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds

// Returns the time since the machine started. Costs about 20 ns.
[[nodiscard]] std::int64_t nanoseconds_now();

// Returns the same time as it was at the kernel's last tick, some milliseconds ago. Costs about 5 ns.
[[nodiscard]] std::int64_t coarse_nanoseconds_now();

// Returns the time since 1970, which may be set back.
[[nodiscard]] std::int64_t nanoseconds_since_1970();

}  // namespace memo::runtime
