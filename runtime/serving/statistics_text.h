// The statistics as text: one JSON object.
#pragma once

#include "runtime/serving/statistics.h"

namespace memo::runtime {

// Writes the object, NUL-terminated and cut to `capacity`; returns the length it needs.
std::size_t print_statistics(char* out, std::size_t capacity, const LiveProcess& process,
                             const LiveGauges& gauges, const Statistics& counters, const PassFigures& own,
                             const PassFigures& workers);

}  // namespace memo::runtime
