// The functions of Python that the calling thread is in.
#pragma once

#include <cstdint>

namespace memo::guest {

struct PythonInterpreter;
class TraceFile;

// From the innermost function outwards, in groups: each call of the evaluator runs one group.
struct PythonStack {
  static constexpr int kMost = 128;  // functions; those further out are left out
  static constexpr std::uint32_t kEndsGroup = std::uint32_t{1} << 31;

  int functions = 0;
  int groups = 0;
  bool is_cut = false;
  std::uint32_t numbers[kMost];  // in the file; the outermost of a group has kEndsGroup

  [[nodiscard]] bool ends_group(int function) const { return (numbers[function] & kEndsGroup) != 0; }
  [[nodiscard]] std::uint32_t number(int function) const { return numbers[function] & ~kEndsGroup; }
};

// Reads the stack, and writes the functions that are new to the file. The stack is empty for a thread that Python does not know.
void read_python_stack(const PythonInterpreter& interpreter, TraceFile& file, PythonStack& stack);

}  // namespace memo::guest
