// The CPython of this process, if there is one whose frames can be read.
#pragma once

#include <cstdint>

#include "preload/modes/profile/python_layout.h"

namespace memo::guest {

struct PythonInterpreter {
  using ThreadState = const char*();

  const PythonLayout* layout;
  ThreadState* own_thread;     // returns the calling thread's state, or null. Takes no lock, and needs none
  ThreadState* locked_thread;  // returns that of the thread that holds the interpreter's lock, or null
  const void* code_type;
  const void* string_type;
  std::uintptr_t evaluator;  // the function that runs frames
  std::uintptr_t evaluator_end;

  // Returns true if the evaluator called what returns here.
  [[nodiscard]] bool is_evaluator(const void* return_address) const {
    // The return address lies after the call, so the byte before it belongs to the call.
    return reinterpret_cast<std::uintptr_t>(return_address) - 1 - evaluator < evaluator_end - evaluator;
  }
};

// Looks for it, unless nothing was loaded since the last look. Logs why the stacks of a Python stay native. To be called before
// stacks are taken, and now and then: a program may load Python late.
void look_for_python();

// Returns it, or null.
[[nodiscard]] const PythonInterpreter* python();

// Gives its frames up for good, because they are not laid out as those of its version are.
void give_python_up();

}  // namespace memo::guest
