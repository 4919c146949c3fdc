#include "preload/modes/auto/room_to_learn.h"

#include <cstdint>

#include "preload/log/log.h"
#include "preload/modes/auto/coarse_clock.h"
#include "runtime/platform/limits.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kMebibyte = 1U << 20;
constexpr std::uint64_t kLeastAddresses = 8192 * kMebibyte;
constexpr std::uint64_t kLeastMemory = 256 * kMebibyte;
constexpr std::uint64_t kMemoryLeft = 64 * kMebibyte;  // a recording ends when less is left to the program

std::int64_t g_next_look = 0;  // seconds_now()

}  // namespace

bool has_addresses_to_learn() {
  const std::uint64_t room = runtime::room_of_addresses();
  if (room >= kLeastAddresses) return true;
  log_trouble("auto: the limit of address space (ulimit -v) leaves ",
              static_cast<unsigned long>(room / kMebibyte), " MiB, and learning may need ",
              static_cast<unsigned long>(kLeastAddresses / kMebibyte), ": nothing is recorded or served");
  return false;
}

bool has_memory_to_learn() {
  const std::uint64_t room = runtime::room_in_groups();
  if (room >= kLeastMemory) return true;
  log_trouble("auto: the control group's limit leaves ", static_cast<unsigned long>(room / kMebibyte),
              " MiB of memory, and learning may need ", static_cast<unsigned long>(kLeastMemory / kMebibyte),
              ": nothing is recorded");
  return false;
}

bool memory_runs_short() {
  const std::int64_t now = seconds_now();
  std::int64_t due = __atomic_load_n(&g_next_look, __ATOMIC_RELAXED);
  if (now < due ||
      !__atomic_compare_exchange_n(&g_next_look, &due, now + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return false;
  if (runtime::room_in_groups() >= kMemoryLeft) return false;
  log_trouble("auto: the control group's memory runs short: nothing is recorded any more");
  return true;
}

}  // namespace memo::guest
