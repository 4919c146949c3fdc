// Passes through: the library forwards every call to the next definition of the same function in the program's
// lookup order, as if the library were not loaded. For checkers that are loaded as libraries and must see every
// block.
#pragma once

#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kPassThroughBackend;

}  // namespace memo::guest
