// Texts to names: a table that only grows, read and added to without a lock.
#pragma once

#include "preload/boundaries/boundary.h"

namespace memo::guest {

// The name for this text, made on first sight (the text is copied). Null when the table is full: some ten thousand
// names; what cannot be named is not marked.
const BoundaryName* intern_name(const char* text);

}  // namespace memo::guest
