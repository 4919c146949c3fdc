// The table that maps texts to names. It only grows; threads read it and add to it without a lock.
#pragma once

#include "preload/boundaries/boundary.h"

namespace memo::guest {

// Returns the name for this text; makes the name, with a copy of the text, when the text is new. Returns null
// when the table is full (16,384 names) or memory has run out; the library does not mark what it cannot name.
const BoundaryName* intern_name(const char* text);

}  // namespace memo::guest
