#include "preload/modes/profile/stacks.h"

#include <cstring>

#include "preload/boundaries/own_stack.h"
#include "preload/boundaries/return_address.h"
#include "preload/log/log.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/platform/platform.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

constexpr int kMostFrames = 96;
constexpr std::size_t kMostStacks = 1U << 17;
constexpr const char* kUnwinder = "libunwind.so.8";

using Backtrace = int(void** addresses, int capacity);
Backtrace* g_backtrace;

// Hashes of the stacks that were written; the number of a stack is its place + 1. Two different stacks with the
// same hash would get the same number, in one of 2^64 / 2^17 programs.
std::uint64_t g_stacks[kMostStacks];

// Puts the thread on the plain heap for a while: the unwinder may allocate, and its allocations are not the
// program's.
class PlainRoute {
 public:
  PlainRoute() : before_(t_route) { t_route = Route::kPlainHeap; }
  PlainRoute(const PlainRoute&) = delete;
  PlainRoute& operator=(const PlainRoute&) = delete;
  ~PlainRoute() { t_route = before_; }

 private:
  Route before_;
};

struct Stack {
  trace::StackRecord record;
  void* frames[kMostFrames];
};

// Bytes of stack, several times what the unwinder was seen to take. With so much room it runs on the thread's
// own stack: it runs for every allocation, and a spare stack doubles its cost.
constexpr std::size_t kAmpleRoom = std::size_t{1} << 16;

// Removes the library's own frames, which lie inside the call site. Returns false if the unwinder did not reach
// the call site.
bool drop_own_frames(Stack& stack, int taken, const void* site) {
  int first = 0;
  while (first < taken && stack.frames[first] != site) ++first;
  if (first >= taken) return false;
  stack.record.frames = static_cast<std::uint32_t>(taken - first);
  std::memmove(stack.frames, stack.frames + first, stack.record.frames * sizeof(void*));
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

std::uint32_t number_of(std::uint64_t hash, bool& fresh) {
  constexpr std::size_t kMostProbes = 64;
  for (std::size_t probe = 0; probe < kMostProbes; ++probe) {
    const std::size_t at = (hash + probe) % kMostStacks;
    std::uint64_t found = 0;
    fresh =
        __atomic_compare_exchange_n(&g_stacks[at], &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (fresh || found == hash) return static_cast<std::uint32_t>(at + 1);
  }
  return 0;
}

bool find_unwinder() {
  const PlainRoute plain;
  void* found = platform::load_symbol(kUnwinder, "unw_backtrace");
  __atomic_store_n(&g_backtrace, reinterpret_cast<Backtrace*>(found), __ATOMIC_RELEASE);
  if (found != nullptr) return true;
  log_trouble("cannot open ", kUnwinder, ": stacks are not recorded; install libunwind8");
  return false;
}

std::uint32_t unwind(Backtrace* backtrace, CallSite site, TraceFile& file) {
  Stack stack;
  int taken = 0;
  {
    const PlainRoute plain;
    taken = backtrace(stack.frames, kMostFrames);
  }
  if (!drop_own_frames(stack, taken, site.address) &&
      !drop_own_frames(stack, follow_frame_records(stack.frames), site.address))
    return 0;
  bool fresh = false;
  stack.record.id = number_of(hash_of(stack, file.number()), fresh);
  if (fresh) {
    file.append(trace::BlockKind::kStacks, 0, 0, 0, &stack,
                sizeof stack.record + stack.record.frames * sizeof(void*));
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
