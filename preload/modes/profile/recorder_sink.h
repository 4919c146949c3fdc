// Passes and scopes, as the recorder hears of them.
#pragma once

#include "preload/boundaries/boundary.h"

namespace memo::guest {

extern const BoundarySink kRecorderSink;

}  // namespace memo::guest
