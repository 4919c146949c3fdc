// Passes and scopes as the rest of the library sees them. They come from the public API, from symbol hooks or
// from a wrapped runtime. A mode that wants to hear of them installs a sink; without a sink the library does
// not look for them.
#pragma once

#include <cstdint>

#include "preload/route/route.h"

namespace memo::guest {

// The name of a pass or scope. Equal texts share one object, which lives as long as the process.
struct BoundaryName {
  const char* text;
  std::uint64_t hash;  // scope_name_hash() of the text
  std::uint32_t id;    // counts up from 1; two threads that make the same name at once may skip a number
};

// kReached: the end of the pass was seen. kLeft: a later begin shows that the program left the pass without
// marking its end, by an exception or by a longjmp past memo_pass_end.
enum class PassEnd : std::uint8_t { kReached, kLeft };

// The functions by which a mode hears of passes and scopes. The library calls each function on the thread
// concerned. Calls are properly nested: scopes are inside passes only, and each thread has one pass at a
// time. The library reports an end when it notices it: with symbol hooks that is at the thread's next
// allocation, release or hooked call outside the function, before the library handles that event itself. In
// mode serve, the library notices no end at the free of a planned block. The arena hears of the scopes of
// passes that it serves (Route::kInPass) directly and not through the sink.
struct BoundarySink {
  void (*pass_begin)(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack);
  void (*pass_end)(PassEnd how);
  void (*scope_begin)(const BoundaryName& name);  // may be null, together with its end
  void (*scope_end)(const BoundaryName& name);
  void (*objects_loaded)();  // dlopen loaded objects some time ago; may be null
};

// Installs the sink. The mode's start() calls this once, while the process has one thread.
void set_boundary_sink(const BoundarySink* sink);

// Makes the library call this function after every dlopen, on a stack of the library's own, before the sink
// hears of it. The function may run none of the program's code but ONNX Runtime's getters. Call this once,
// while the process has one thread.
void call_after_loading(void (*function)());

// How to tell that the innermost frame of the thread's shadow stack has ended: the thread is seen at the
// stack pointer `limit` or above, or `return_slot` no longer holds the frame's return address.
struct InnermostFrame {
  std::uintptr_t limit;
  const void* const* return_slot;  // never null
  const void* return_address;
};
extern thread_local constinit InnermostFrame t_frame __attribute__((tls_model("initial-exec")));

// Ends the frames that the thread has left. Called rarely.
void leave_ended_frames(CallSite site);

// Returns true if the thread may have left its innermost frame. Costs four loads, two compares and two
// branches that are never taken while no frame ends.
inline bool frames_have_ended(CallSite site) {
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(site.stack) >= t_frame.limit, 0)) return true;
  return __builtin_expect(*t_frame.return_slot != t_frame.return_address, 0);
}

// Ends the frames that the thread has left. Call this with every event of a thread, before the event is
// handled.
inline void notice_ended_frames(CallSite site) {
  if (frames_have_ended(site)) leave_ended_frames(site);
}

}  // namespace memo::guest
