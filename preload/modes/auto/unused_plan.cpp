#include "preload/modes/auto/unused_plan.h"

#include <atomic>
#include <cstdint>

#include "preload/modes/auto/coarse_clock.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/platform/relaxed.h"
#include "runtime/plan/anchors.h"
#include "runtime/serving/look_ups.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 24;  // allocations: more than loading takes
constexpr std::uint64_t kSome = std::uint64_t{1} << 20;
constexpr std::uint64_t kOccasions = 256;  // of some 4 MiB each
constexpr std::int64_t kSeconds = 10;

std::uint64_t g_occasions = 0;
std::int64_t g_first = 0;  // seconds; when the first occasion came

bool anchors_are_of_another() {
  const std::uint64_t awaited = runtime::g_anchors.awaited.load(std::memory_order_relaxed);
  return runtime::passes_are_absent() &&
         (awaited >= kMany || (awaited >= kSome && runtime::modules_are_missing()));
}

bool marks_are_of_another() {
  return !runtime::anchors_open_passes() && read_relaxed(g_occasions) >= kOccasions &&
         seconds_now() - read_relaxed(g_first) >= kSeconds;
}

}  // namespace

void note_occasion() {
  if (count_up(g_occasions) == 1) write_relaxed(g_first, seconds_now());
}

bool plan_is_unused() {
  return has_plan() && passes_served() == 0 && (anchors_are_of_another() || marks_are_of_another());
}

}  // namespace memo::guest
