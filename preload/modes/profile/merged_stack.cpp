#include "preload/modes/profile/merged_stack.h"

#include "runtime/formats/trace_format.h"

namespace memo::guest {
namespace {

class Merge {
 public:
  Merge(const PythonStack& functions, std::uint64_t* frames) : functions_(functions), frames_(frames) {}

  void add_native(const void* frame) { frames_[written_++] = reinterpret_cast<std::uint64_t>(frame); }

  void add_group() {
    bool ended = false;
    for (; next_ < functions_.functions && !ended; ++next_) {
      frames_[written_++] = trace::kFunctionFrame | functions_.number(next_);
      ended = functions_.ends_group(next_);
    }
  }
  void add_rest() {
    while (next_ < functions_.functions) add_group();
  }

  [[nodiscard]] std::uint32_t written() const { return written_; }

 private:
  const PythonStack& functions_;
  std::uint64_t* frames_;
  std::uint32_t written_ = 0;
  int next_ = 0;
};

int count_evaluators(const NativeStack& native, const PythonInterpreter* interpreter) {
  int count = 0;
  for (int i = 0; interpreter != nullptr && i < native.taken; ++i)
    if (interpreter->is_evaluator(native.frames[i])) ++count;
  return count;
}

// Returns false where the native stack has calls of the evaluator that the other does not know. Which is whose cannot be told
// then: the thread runs a second interpreter.
bool belong_together(int evaluators, const PythonStack& functions) {
  return functions.functions > 0 && (evaluators <= functions.groups || functions.is_cut);
}

}  // namespace

std::uint32_t merge_stacks(const NativeStack& native, const PythonStack& functions,
                           const PythonInterpreter* interpreter, std::uint64_t* frames) {
  Merge merge(functions, frames);
  int evaluators = count_evaluators(native, interpreter);
  const bool is_merged = belong_together(evaluators, functions);
  const bool has_evaluators = evaluators > 0;
  for (int i = 0; i < native.taken; ++i) {
    if (!is_merged || !interpreter->is_evaluator(native.frames[i])) {
      merge.add_native(native.frames[i]);
    } else if (--evaluators > 0) {
      merge.add_group();
    } else {
      merge.add_rest();
    }
  }
  if (is_merged && !has_evaluators && native.is_cut) merge.add_rest();
  return merge.written();
}

}  // namespace memo::guest
