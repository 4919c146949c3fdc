// Puts the functions of Python into a native stack.
#pragma once

#include <cstdint>

#include "preload/modes/profile/python_interpreter.h"
#include "preload/modes/profile/python_stack.h"

namespace memo::guest {

// Return addresses, from the call site outwards.
struct NativeStack {
  static constexpr int kMost = 96;

  int taken = 0;
  bool is_cut = false;  // there were more
  void* frames[kMost];
};

// Writes the frames of the stack as the trace has them, and returns how many they are. Each frame of the evaluator gives way to
// the group of functions that it runs. The outermost one gives way to all groups that are left: the evaluator has rare parts
// at other places, which are not recognised. `frames` has room for both stacks. `interpreter` may be null.
std::uint32_t merge_stacks(const NativeStack& native, const PythonStack& functions,
                           const PythonInterpreter* interpreter, std::uint64_t* frames);

}  // namespace memo::guest
