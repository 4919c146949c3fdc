// Names in the trace: each is written once to each file, before the first event that refers to it.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"

namespace memo::guest {

class TraceFile;

void write_name_once(const BoundaryName& name, TraceFile& file);

// The text of a name that was written, or null.
const char* name_text(std::uint32_t id);

}  // namespace memo::guest
