// Names in the trace: the recorder writes each name once to each file, before the first event that refers to
// it.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"

namespace memo::guest {

class TraceFile;

void write_name_once(const BoundaryName& name, TraceFile& file);

// Returns the text of a name that was written, or null.
const char* name_text(std::uint32_t id);

}  // namespace memo::guest
