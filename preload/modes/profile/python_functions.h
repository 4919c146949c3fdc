// Functions of Python in the trace: each is written once to each file, before the first stack that refers to it.
#pragma once

#include <cstdint>

#include "preload/modes/profile/python_memory.h"

namespace memo::guest {

class TraceFile;

// Gives the number that the function of this code object has in the file, from 1, or 0 where there are too many functions. Writes
// the function to the file if it is new there. Returns false where the object is no code.
bool number_python_function(const PythonInterpreter& interpreter, const PythonMemory& memory,
                            const char* object, TraceFile& file, std::uint32_t& number);

}  // namespace memo::guest
