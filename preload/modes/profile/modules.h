// Which files are mapped where: written to the trace whenever it has changed, so that a return address can be told
// apart by build-id and offset even if its library is unloaded later.
#pragma once

#include <cstddef>

namespace memo::guest {

class TraceFile;

// Writes the present picture where none was written yet or something was loaded or unloaded since. Costs a lock of
// the loader's that nobody holds for long, and a few hundred nanoseconds, where nothing has changed.
void write_modules_if_changed(TraceFile& file);

inline constexpr std::size_t kLongestBuildId = 32;

// The program's, in hexadecimal digits, "" for none; cut to `capacity`.
void write_build_id_of_program(char* out, std::size_t capacity);

// In a forked child: who was at it is gone.
void let_modules_be_written();

}  // namespace memo::guest
