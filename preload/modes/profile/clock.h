// The clocks of the trace: the processor's own for the order of events, and the time that relates it to
// seconds.
#pragma once

#include "runtime/platform/clock.h"
#include "runtime/platform/ticks.h"

namespace memo::guest {

using runtime::nanoseconds_now;
using runtime::ticks_now;

}  // namespace memo::guest
