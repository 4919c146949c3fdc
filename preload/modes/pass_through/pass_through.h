// Stepping aside: every call goes on to the next definition of the same function in the program's lookup
// order, as if this library were not there. For checkers that are loaded as libraries and want to see every
// block themselves.
#pragma once

#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kAsideBackend;

}  // namespace memo::guest
