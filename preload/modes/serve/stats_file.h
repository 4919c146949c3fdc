// The statistics as a file, for whoever started the server.
#pragma once

#include <cstddef>

namespace memo::guest {

// The arena's figures with the heap's, as one JSON object; see runtime/serving/statistics.h.
std::size_t describe_statistics(char* out, std::size_t capacity);

// Writes them to `path`, "" for nowhere. Only where a pass has run: the shells and wrappers around a server load the
// library too, and must not write over its file. A forked child adds its process id to the name.
void write_statistics(const char* path);

// How often the next one writes; 0 for never, as in the beginning.
void write_statistics_every(unsigned long seconds);

// To be called between passes: one thread writes when the time has come. The others go on.
void write_statistics_if_due(const char* path);

}  // namespace memo::guest
