// The first and the last block of a trace.
#pragma once

#include "preload/profile/trace_format.h"

namespace memo::guest {

class TraceFile;

// Opens the file and writes who this is, where that was not done yet. False where there is no file.
bool open_trace(TraceFile& file, bool record_all);

void write_end(TraceFile& file, const trace::EndRecord& record);

}  // namespace memo::guest
