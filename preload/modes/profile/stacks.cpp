#include "preload/modes/profile/stacks.h"

#include <cstring>

#include "preload/boundaries/own_stack.h"
#include "preload/boundaries/return_address.h"
#include "preload/log/log.h"
#include "preload/modes/profile/merged_stack.h"
#include "preload/modes/profile/numbered_once.h"
#include "preload/modes/profile/plain_route.h"
#include "preload/modes/profile/python_interpreter.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/platform/platform.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

constexpr int kMostFrames = NativeStack::kMost;
constexpr const char* kUnwinder = "libunwind.so.8";

using Backtrace = int(void** addresses, int capacity);
Backtrace* g_backtrace;

NumberedOnce<1U << 17> g_stacks;

struct Stack {
  trace::StackRecord record;
  std::uint64_t frames[kMostFrames + PythonStack::kMost];
};

// Bytes of stack, several times what the unwinder was seen to take. With so much room it runs on the thread's
// own stack: it runs for every allocation, and a spare stack doubles its cost.
constexpr std::size_t kAmpleRoom = std::size_t{1} << 16;

// Removes the library's own frames, which lie inside the call site. Returns false if the unwinder did not reach
// the call site.
bool drop_own_frames(NativeStack& native, const void* site) {
  int first = 0;
  while (first < native.taken && native.frames[first] != site) ++first;
  if (first >= native.taken) return false;
  native.taken -= first;
  std::memmove(native.frames, native.frames + first, static_cast<std::size_t>(native.taken) * sizeof(void*));
  return true;
}

#if defined(__aarch64__)
// Follows the frame records, which functions keep there unless they were compiled without. For where the unwinder does not
// reach the call site: under QEMU it does not. Reads nothing outside the thread's own stack. Returns the number of frames.
[[gnu::noinline]] int follow_frame_records(void** frames) {
  const auto is_readable = [](const FrameRecord* record) {
    return has_room_below(reinterpret_cast<std::uintptr_t>(record), 0);
  };
  int taken = 0;
  const auto* record = static_cast<const FrameRecord*>(__builtin_frame_address(0));
  while (taken < kMostFrames && is_readable(record) && record->return_address != nullptr) {
    frames[taken++] = const_cast<void*>(without_signature(record->return_address));
    if (record->caller <= record) break;
    record = record->caller;
  }
  return taken;
}
#else
// The unwinder has the last word where functions keep no frame records.
int follow_frame_records(void**) {
  return 0;
}
#endif

// Returns a hash of the stack and of the file's number: each file holds the stacks that its events refer to.
// Never 0.
std::uint64_t hash_of(const Stack& stack, std::uint32_t file) {
  const std::uint64_t start = std::uint64_t{file} << 32 | stack.record.frames;
  const std::uint64_t hash = trace::checksum_words(start, stack.frames, stack.record.frames * sizeof(void*));
  return hash == 0 ? 1 : hash;
}

bool find_unwinder() {
  const PlainRoute plain;
  void* found = platform::load_symbol(kUnwinder, "unw_backtrace");
  __atomic_store_n(&g_backtrace, reinterpret_cast<Backtrace*>(found), __ATOMIC_RELEASE);
  if (found != nullptr) return true;
  log_trouble("cannot open ", kUnwinder, ": stacks are not recorded; install libunwind8");
  return false;
}

// Returns false if neither way reaches the call site.
bool take_native(Backtrace* backtrace, CallSite site, NativeStack& native) {
  {
    const PlainRoute plain;
    native.taken = backtrace(native.frames, kMostFrames);
  }
  native.is_cut = native.taken == kMostFrames;
  if (drop_own_frames(native, site.address)) return true;
  native.taken = follow_frame_records(native.frames);
  return drop_own_frames(native, site.address);
}

// Takes the native frames over, with the functions of Python in the place of those that run them.
void fill_in(Stack& stack, const NativeStack& native, TraceFile& file) {
  PythonStack functions;
  const PythonInterpreter* const interpreter = python();
  if (interpreter != nullptr) {
    const PlainRoute plain;
    read_python_stack(*interpreter, file, functions);
  }
  stack.record.frames = merge_stacks(native, functions, interpreter, stack.frames);
}

std::uint32_t unwind(Backtrace* backtrace, CallSite site, TraceFile& file) {
  NativeStack native;
  if (!take_native(backtrace, site, native)) return 0;
  Stack stack;
  fill_in(stack, native, file);
  bool fresh = false;
  stack.record.id = g_stacks.number_of(hash_of(stack, file.number()), fresh);
  if (fresh) {
    file.append(trace::BlockKind::kStacks, 0, 0, 0, &stack,
                sizeof stack.record + stack.record.frames * sizeof(std::uint64_t));
  }
  return stack.record.id;
}

}  // namespace

bool open_unwinder() {
  return runtime::on_spare_stack(find_unwinder);
}

std::uint32_t take_stack(CallSite site, TraceFile& file) {
  Backtrace* const backtrace = __atomic_load_n(&g_backtrace, __ATOMIC_ACQUIRE);
  if (backtrace == nullptr) return 0;
  if (has_room_below(reinterpret_cast<std::uintptr_t>(site.stack), kAmpleRoom))
    return unwind(backtrace, site, file);
  return runtime::on_spare_stack([&] { return unwind(backtrace, site, file); });
}

}  // namespace memo::guest
