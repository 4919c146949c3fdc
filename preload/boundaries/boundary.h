// Passes and scopes as the rest of the library sees them, wherever they come from: the public API, symbol hooks, or a
// wrapped runtime. A mode that cares installs a sink; without one, boundaries are not looked for.
#pragma once

#include <cstdint>

#include "preload/route/route.h"

namespace memo::guest {

// The name of a pass or scope. One object for each different text, alive as long as the process.
struct BoundaryName {
  const char* text;
  std::uint64_t hash;  // scope_name_hash() of the text
  std::uint32_t id;    // dense, from 1
};

// kLeft: without a word, by an exception or a longjmp past memo_pass_end.
enum class PassEnd : std::uint8_t { kReached, kLeft };

// All are called on the thread concerned, properly nested, scopes inside passes only, one pass at a time for each
// thread. An end comes when it is noticed: with symbol hooks that is the thread's next allocation, release or hooked
// call outside the function, before that event itself is handled; in mode serve, not the free of a planned block.
// Scopes of a pass that the arena serves (Route::kInPass) are the arena's, which is told without a sink.
struct BoundarySink {
  void (*pass_begin)(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack);
  void (*pass_end)(PassEnd how);
  void (*scope_begin)(const BoundaryName& name);  // may be null, together with its end
  void (*scope_end)(const BoundaryName& name);
  void (*objects_loaded)();  // by dlopen, some time ago; may be null
};

// To be called once, while the process has one thread, by the mode's start().
void set_boundary_sink(const BoundarySink* sink);

// From now on this is called after every dlopen, on a stack of the library's own, before the sink hears of it. Of the program's
// code there are ONNX Runtime's getters in it at most. To be called once, as above.
void call_after_loading(void (*function)());

// The innermost frame of the thread's shadow stack has ended when the thread is seen at this stack pointer or above, or
// when the place where the frame's return address was no longer holds it.
struct InnermostFrame {
  std::uintptr_t limit;
  const void* const* return_slot;  // never null
  const void* return_address;
};
extern thread_local constinit InnermostFrame t_frame __attribute__((tls_model("initial-exec")));

// Ends what the thread has left. Cold.
void leave_ended_frames(CallSite site);

// Four loads, two compares, two branches that are never taken while nothing ends.
inline bool frames_have_ended(CallSite site) {
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(site.stack) >= t_frame.limit, 0)) return true;
  return __builtin_expect(*t_frame.return_slot != t_frame.return_address, 0);
}

// To be called with every event of a thread before it is handled.
inline void notice_ended_frames(CallSite site) {
  if (frames_have_ended(site)) leave_ended_frames(site);
}

}  // namespace memo::guest
