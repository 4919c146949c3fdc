#include "runtime/platform/sleepers.h"

#include <linux/futex.h>
#include <time.h>

#include <climits>

#include "runtime/platform/clock.h"
#include "runtime/platform/kernel_call.h"

namespace memo::runtime {

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::uint32_t bits,
                 std::int64_t until) {
  const timespec time = {.tv_sec = until / kSecond, .tv_nsec = until % kSecond};
  kernel(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, value, &time, nullptr, bits);
}

void wake_sleepers(const std::atomic<std::uint32_t>& word, std::uint32_t bits) {
  kernel(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, nullptr, nullptr, bits);
}

}  // namespace memo::runtime
