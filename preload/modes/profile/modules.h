// The list of loaded modules and their addresses. The recorder writes it to the trace whenever it has changed,
// so that the planner can name a return address by build-id and offset even if its library is unloaded later.
#pragma once

#include <cstddef>

namespace memo::guest {

class TraceFile;

// Writes the list if the trace has none yet, or if the program has loaded or unloaded a module since. Where
// nothing has changed, this costs a few hundred nanoseconds and one lock of the loader's, which no thread holds
// for long.
void write_modules_if_changed(TraceFile& file);

inline constexpr std::size_t kLongestBuildId = 32;  // bytes

// Writes the program's build-id in hexadecimal digits, "" for none, cut to `capacity`.
void write_build_id_of_program(char* out, std::size_t capacity);

// Allows writing again in a forked child, which has no copy of the thread that was writing.
void let_modules_be_written();

}  // namespace memo::guest
