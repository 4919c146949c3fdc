// Passes and scopes as the rest of the library sees them. They come from the public API, from symbol hooks or
// from a wrapped runtime. A mode that wants to hear of them installs a sink (sink.h); without a sink the library
// does not look for them.
#pragma once

#include <cstdint>

namespace memo::guest {

// The name of a pass or scope. Equal texts share one object, which lives as long as the process.
struct BoundaryName {
  const char* text;
  std::uint64_t hash;  // scope_name_hash() of the text
  std::uint32_t id;    // counts up from 1; two threads that make the same name at once may skip a number
};

// The thing that the call of a function begins: a pass, an operator, an operator where no other is around, or
// the loading of objects.
enum class FrameKind : std::uint32_t { kPass, kScope, kOuterScope, kLoading };

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
  // `object` is the address of what the pass is a call of, such as a model, and 0 where that is not known.
  void (*pass_begin)(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack,
                     std::uintptr_t object);
  void (*pass_end)(PassEnd how);
  void (*scope_begin)(const BoundaryName& name);  // may be null, together with its end
  void (*scope_end)(const BoundaryName& name);
  void (*objects_loaded)();  // dlopen loaded objects some time ago; may be null
};

}  // namespace memo::guest
