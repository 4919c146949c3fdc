#include "preload/modes/profile/own_cost.h"

#include <algorithm>

#include "preload/modes/profile/clock.h"
#include "preload/platform/relaxed.h"

namespace memo::guest {
namespace {

// Limits one timed call, to about twice what a write of a full buffer takes. What takes longer was interrupted, and another
// thread's time is not the recorder's.
constexpr std::uint64_t kLongest = 1U << 18;

std::uint64_t g_ticks = 0;
thread_local constinit std::uint32_t t_calls __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

OwnCost::OwnCost() {
  if (++t_calls % kCalls == 0) [[unlikely]]
    began_ = ticks_now();
}

OwnCost::~OwnCost() {
  if (began_ != 0) [[unlikely]]
    count_up(g_ticks, kCalls * std::min(ticks_now() - began_, kLongest));
}

std::uint64_t ticks_of_recorder() {
  return read_relaxed(g_ticks);
}

}  // namespace memo::guest
