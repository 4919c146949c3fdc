// The statistics as a file, for the user who started the program.
#pragma once

#include <cstddef>

#include "runtime/serving/statistics.h"

namespace memo::guest {

// Returns the heap's own figures. Costs some ten microseconds.
[[nodiscard]] runtime::HeapFigures heap_figures();

// Writes the figures of the arena and of the heap to `out`, as one JSON object; see
// runtime/serving/statistics.h. Returns its length.
std::size_t describe_statistics(char* out, std::size_t capacity);

// Writes the statistics to `path`, or nowhere if it is "". Writes only if a pass has run, or if the passes of
// the plan never came: the shells and wrappers around a server load the library too, and must not overwrite the
// server's file. A forked child appends its process id to the name.
void write_statistics(const char* path);

// Sets the period of write_statistics_if_due(), in seconds; 0, the initial value, means never.
void write_statistics_every(unsigned long seconds);

// Writes the statistics when the period is over. To be called between passes. One thread writes; the others go
// on.
void write_statistics_if_due(const char* path);

}  // namespace memo::guest
