// The first and the last block of a trace.
#pragma once

#include <cstdint>

#include "runtime/formats/trace_format.h"

namespace memo::guest {

class TraceFile;

// Opens the file and writes the process record, unless that is done; `flags` as in ProcessRecord. Returns false
// if the file cannot be opened.
bool open_trace(TraceFile& file, std::uint32_t flags);

void write_end(TraceFile& file, const trace::EndRecord& record);

}  // namespace memo::guest
