// The first and the last block of a trace.
#pragma once

#include <cstdint>

#include "runtime/formats/trace_format.h"

namespace memo::guest {

class TraceFile;

// Opens the file and writes who this is, where that was not done yet; `flags` as in ProcessRecord. False where there is
// no file.
bool open_trace(TraceFile& file, std::uint32_t flags);

void write_end(TraceFile& file, const trace::EndRecord& record);

}  // namespace memo::guest
