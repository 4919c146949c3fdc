#include "preload/modes/profile/python_stack.h"

#include "preload/log/log.h"
#include "preload/modes/profile/python_functions.h"
#include "preload/modes/profile/python_interpreter.h"
#include "preload/modes/profile/python_memory.h"

namespace memo::guest {
namespace {

struct Frame {
  const char* code;
  const char* previous;
  bool has_mark;
};

bool read_frame(const PythonLayout& layout, const PythonMemory& memory, const char* at, Frame& frame) {
  constexpr std::size_t kHead = 72;  // bytes; the fields that are read lie in them
  char head[kHead];
  if (!memory.copy(at, head, sizeof head)) return false;
  frame = {PythonMemory::field<const char*>(head, layout.frame_code),
           PythonMemory::field<const char*>(head, layout.frame_previous),
           PythonMemory::field<std::uint8_t>(head, layout.frame_mark) == layout.mark};
  return true;
}

void end_group(PythonStack& stack) {
  if (stack.functions == 0 || stack.ends_group(stack.functions - 1)) return;
  stack.numbers[stack.functions - 1] |= PythonStack::kEndsGroup;
  ++stack.groups;
}

// Follows the frames outwards. Returns false where one of them is not what it should be.
bool follow(const PythonInterpreter& interpreter, const PythonMemory& memory, const char* at, TraceFile& file,
            PythonStack& stack) {
  const PythonLayout& layout = *interpreter.layout;
  const bool has_shims = layout.group_end == GroupEnd::kMarkedShim;
  // Twice as many steps as functions: each may be the only one of its group.
  for (int steps = 0; at != nullptr && steps < 2 * PythonStack::kMost; ++steps) {
    Frame frame;
    if (!read_frame(layout, memory, at, frame)) return false;
    at = frame.previous;
    if (has_shims && frame.has_mark) {
      end_group(stack);
      continue;
    }
    if (stack.functions == PythonStack::kMost) break;
    if (!number_python_function(interpreter, memory, frame.code, file, stack.numbers[stack.functions]))
      return false;
    ++stack.functions;
    if (frame.has_mark) end_group(stack);
  }
  stack.is_cut = at != nullptr;
  end_group(stack);
  return true;
}

const char* innermost_frame(const PythonLayout& layout, const PythonMemory& memory, const char* thread) {
  const char* const current = memory.pointer(thread + layout.current);
  return layout.is_held && current != nullptr ? memory.pointer(current + layout.held) : current;
}

// Says once that stacks lack functions, unless it is because Python ends.
[[gnu::cold, gnu::noinline]] void say_unread() {
  static bool said;
  if (has_python_said_that_it_runs() || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED)) return;
  log_trouble(
      "call stacks of threads without Python's lock show none of its functions: it did not say that it runs on; leave out "
      "--python off and python's -I, -E, -S, or call memo_python_runs(1)");
}

}  // namespace

void read_python_stack(const PythonInterpreter& interpreter, TraceFile& file, PythonStack& stack) {
  const char* const thread = interpreter.own_thread();
  if (thread == nullptr) return;
  const PythonMemory memory(interpreter, thread);
  if (!memory.may_read()) return say_unread();
  const char* const frame = innermost_frame(*interpreter.layout, memory, thread);
  if (frame == nullptr) return;
  const bool is_whole = follow(interpreter, memory, frame, file, stack);
  if (is_whole && stack.functions > 0) return trust_python_layout();
  if (!is_whole) stack.functions = stack.groups = 0;
  if (!is_whole && !is_python_layout_trusted()) give_python_up();
}

}  // namespace memo::guest
