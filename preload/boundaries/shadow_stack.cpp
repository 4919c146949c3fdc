// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/shadow_stack.h"

#include <pthread.h>

#include <atomic>

#include "preload/boundaries/kept_vectors.h"
#include "preload/platform/thread_slots.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {

namespace {

constexpr std::uintptr_t kNever = UINTPTR_MAX;
constinit const void* const kNowhere = nullptr;

}  // namespace

thread_local constinit InnermostFrame t_frame{kNever, &kNowhere, nullptr};

namespace {

struct Frame {
  std::uintptr_t stack;  // the frame has ended once the thread is seen here or above
  const void* return_address;
  const void* kept_return;  // what the return slot held at entry
  const BoundaryName* name;
  FrameKind kind;
  Route route;  // the thread's route before dlopen began
  bool marked;  // ends by a call, or together with the hooked frame around it
};

// Frames that the library tracks for each thread. What happens in deeper frames counts for the tracked ones.
constexpr std::uint32_t kMostFrames = 250;

struct ShadowStack {
  ShadowStack* next;
  std::uint32_t owner;
  std::uint32_t depth;
  std::uint32_t nested_marks;  // calls of memo_pass_begin inside the pass: their ends must not end it
  bool in_pass;
  CallSite pass_begin;  // where the running pass began
  std::uintptr_t low;   // the thread's own stack, from here to `high`
  std::uintptr_t high;
  Frame frames[kMostFrames];

  [[nodiscard]] bool owns(std::uintptr_t stack) const { return stack - low <= high - low; }
};

thread_local constinit ShadowStack* t_shadow __attribute__((tls_model("initial-exec"))) = nullptr;

constinit ThreadSlots<ShadowStack> g_shadows;
const BoundarySink* g_sink;
void (*g_after_loading)();

// Finds the bounds of the thread's own stack. pthread_getattr_np allocates (for the main thread it reads the
// map of the process); the plain-heap route keeps these allocations out of the recording.
void find_own_stack(ShadowStack& shadow) {
  const Route route = t_route;
  t_route = Route::kPlainHeap;
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
  }
  t_route = route;
  shadow.low = reinterpret_cast<std::uintptr_t>(low);
  shadow.high = low == nullptr ? kNever : shadow.low + bytes;
}

[[gnu::cold, gnu::noinline]] ShadowStack* make_shadow() {
  bool inherited = false;
  ShadowStack* shadow = g_shadows.take(inherited);
  if (shadow == nullptr) return nullptr;
  shadow->depth = 0;
  shadow->nested_marks = 0;
  shadow->in_pass = false;
  runtime::on_spare_stack([&] { find_own_stack(*shadow); });
  t_shadow = shadow;
  return shadow;
}

ShadowStack* own_shadow() {
  return t_shadow != nullptr ? t_shadow : keeping_vectors(make_shadow);
}

std::uintptr_t stack_of(CallSite site) {
  return reinterpret_cast<std::uintptr_t>(site.stack);
}

// Returns the number of frames up to the innermost hooked one, or 0. A marked frame ends at the latest with
// the hooked frame around it, so it is enough to watch the hooked one.
std::uint32_t nearest_hooked(const ShadowStack& shadow) {
  std::uint32_t at = shadow.depth;
  while (at > 0 && shadow.frames[at - 1].marked) --at;
  return at;
}

#if defined(__x86_64__)
// Returns where the return address lies: a call puts it right below the caller's stack pointer.
const void* const* return_slot_of(const Frame& frame) {
  return reinterpret_cast<const void* const*>(frame.stack) - 1;
}

const void* return_at_entry(const Frame& frame) {
  return *return_slot_of(frame);
}

bool return_is_in_place(const ShadowStack&, const Frame& frame) {
  return *return_slot_of(frame) == frame.kept_return;
}

#elif defined(__aarch64__)

// A slot that never matches. The return address has no fixed place on this processor, so every event has to
// look for it in the frame records.
constinit const void* const kNoSlot = &kNoSlot;
const void* const* return_slot_of(const Frame&) {
  return &kNoSlot;
}

const void* return_at_entry(const Frame&) {
  return nullptr;
}

// The frame record that x29 points to in every function that calls others.
struct FrameRecord {
  const FrameRecord* caller;
  const void* return_address;
};

// Compares two addresses without their upper bits, which may hold the signature of a signed return address.
bool is_same_address(const void* one, const void* other) {
  constexpr int kUpperBits = 16;
  return (reinterpret_cast<std::uintptr_t>(one) ^ reinterpret_cast<std::uintptr_t>(other)) << kUpperBits == 0;
}

// Returns false if the function's return address is in no frame record between here and the stack pointer of
// its caller, where the function's record must lie. A chain that does not lead up to there says nothing, and
// the function counts as running.
[[gnu::noinline]] bool return_is_in_place(const ShadowStack& shadow, const Frame& frame) {
  const auto* record = static_cast<const FrameRecord*>(__builtin_frame_address(0));
  while (reinterpret_cast<std::uintptr_t>(record) < frame.stack) {
    if (is_same_address(record->return_address, frame.return_address)) return true;
    const FrameRecord* caller = record->caller;
    if (caller <= record || !shadow.owns(reinterpret_cast<std::uintptr_t>(caller))) return true;
    record = caller;
  }
  return false;
}

#endif

void watch_innermost(const ShadowStack& shadow) {
  const std::uint32_t hooked = nearest_hooked(shadow);
  if (hooked == 0) {
    t_frame = {kNever, &kNowhere, kNowhere};
    return;
  }
  const Frame& frame = shadow.frames[hooked - 1];
  t_frame = {frame.stack, return_slot_of(frame), frame.kept_return};
}

// Returns true if the arena follows the scopes of the running pass. A plan with anchors ignores scopes.
bool arena_follows() {
  return t_route == Route::kInPass && !runtime::anchors_open_passes();
}

void tell_sink(const BoundaryName* ended, const BoundaryName* begun) {
  if (ended != nullptr) g_sink->scope_end(*ended);
  if (begun != nullptr) g_sink->scope_begin(*begun);
}

// Reports a scope that ended and a scope that began; either may be null. The arena hears of the scopes of its
// passes without the sink.
void tell_scopes(const BoundaryName* ended, const BoundaryName* begun) {
  if (!arena_follows()) {
    if (g_sink->scope_begin != nullptr) keeping_vectors(tell_sink, ended, begun);
  } else if (begun == nullptr) {
    runtime::scope_end();
  } else {
    ended != nullptr ? runtime::scope_follows(begun->hash) : runtime::scope_begin(begun->hash);
  }
}

[[gnu::cold, gnu::noinline]] void end_pass(ShadowStack& shadow, PassEnd how) {
  shadow.in_pass = false;
  shadow.nested_marks = 0;
  keeping_vectors(g_sink->pass_end, how);
}

void look_at_what_was_loaded() {
  runtime::on_spare_stack(g_after_loading);
}

[[gnu::cold, gnu::noinline]] void end_loading(Route before) {
  if (t_route == Route::kLoading) t_route = before;
  if (g_after_loading != nullptr) keeping_vectors(look_at_what_was_loaded);
  if (g_sink->objects_loaded != nullptr) keeping_vectors(g_sink->objects_loaded);
}

// Ends the innermost frame. The frame keeps its contents until the next push, and no code below pushes before
// it has read them.
void pop(ShadowStack& shadow, PassEnd how = PassEnd::kReached) {
  const Frame& frame = shadow.frames[--shadow.depth];
  watch_innermost(shadow);
  if (frame.kind == FrameKind::kScope) return tell_scopes(frame.name, nullptr);
  if (frame.kind == FrameKind::kPass) return end_pass(shadow, how);
  end_loading(frame.route);
}

void push(ShadowStack& shadow, const Frame& frame) {
  shadow.frames[shadow.depth++] = frame;
  watch_innermost(shadow);
}

// Returns true if the thread has left the frame's function. At exactly the stack pointer of its caller there
// are two possibilities: the function has returned and its caller goes on, or the function ended with a jump
// to the code that reports now. In the second case the report has the function's own return address, and the
// frame goes on.
bool has_ended(const ShadowStack& shadow, const Frame& frame, CallSite site) {
  const std::uintptr_t stack = stack_of(site);
  if (stack == frame.stack) return site.address != frame.return_address;
  return stack > frame.stack || !return_is_in_place(shadow, frame);
}

void settle(ShadowStack& shadow, CallSite site) {
  if (!shadow.owns(stack_of(site))) return;
  for (;;) {
    const std::uint32_t hooked = nearest_hooked(shadow);
    if (hooked == 0 || !has_ended(shadow, shadow.frames[hooked - 1], site)) return;
    while (shadow.depth >= hooked) pop(shadow);
  }
}

bool has_room(const ShadowStack& shadow) {
  return shadow.depth < kMostFrames;
}

// Ends the frames that the thread has left before it enters a function. A function that is entered again at
// the same place is called by a loop; it has not jumped to itself, so its earlier frame has ended.
void settle_for_entry(ShadowStack& shadow, const BoundaryName* name, CallSite site) {
  settle(shadow, site);
  std::uint32_t again = shadow.depth;
  while (again > 0 && shadow.frames[again - 1].stack == stack_of(site)) {
    if (!shadow.frames[--again].marked && shadow.frames[again].name == name) {
      while (shadow.depth > again) pop(shadow);
      return;
    }
  }
}

void begin_scope(ShadowStack& shadow, const Frame& frame) {
  push(shadow, frame);
  tell_scopes(nullptr, frame.name);
}

void begin_pass(ShadowStack& shadow, const Frame& frame, std::uint64_t key, CallSite site) {
  shadow.in_pass = true;
  shadow.pass_begin = site;
  push(shadow, frame);
  keeping_vectors(g_sink->pass_begin, *frame.name, key, stack_of(site));
}

// Begins to watch for the end of dlopen. A thread on the plain heap reports no events, so it changes to
// Route::kLoading, which reports them.
void begin_loading(ShadowStack& shadow, const Frame& frame) {
  push(shadow, frame);
  if (t_route == Route::kPlainHeap) t_route = Route::kLoading;
}

Frame marked_frame(FrameKind kind, const BoundaryName* name) {
  return {kNever, nullptr, nullptr, name, kind, t_route, true};
}

// Returns true if the pass that begins here is part of the running one: it begins deeper in the stack, or
// further on in the same function. A begin further out, or the same begin again, means that the program left
// the running pass without an end, by an exception or a longjmp.
bool joins_running_pass(const ShadowStack& shadow, CallSite site) {
  if (!shadow.in_pass) return false;
  if (site.stack == shadow.pass_begin.stack) return site.address != shadow.pass_begin.address;
  return stack_of(site) < stack_of(shadow.pass_begin);
}

void leave_running_pass(ShadowStack& shadow) {
  while (shadow.in_pass) pop(shadow, PassEnd::kLeft);
}

void pop_marked(ShadowStack& shadow, FrameKind kind) {
  std::uint32_t found = shadow.depth;
  while (found > 0 && !(shadow.frames[found - 1].marked && shadow.frames[found - 1].kind == kind)) --found;
  if (found == 0) return;
  while (shadow.depth >= found) pop(shadow);
}

// ---- the fast path: an operator in a pass that follows its neighbour, or is the first inside another ----

bool is_hooked_scope(const Frame& frame) {
  return frame.kind == FrameKind::kScope && !frame.marked;
}

// Returns true if the thread is inside the frame's function: deeper in the stack than the caller of that
// function, with the return address in place.
bool is_around(const ShadowStack& shadow, const Frame& frame, CallSite site) {
  return stack_of(site) < frame.stack && return_is_in_place(shadow, frame);
}

// Returns is_around() for the innermost hooked frame below `end`, or true where there is none.
bool are_around(const ShadowStack& shadow, const Frame* end, CallSite site) {
  while (end != shadow.frames) {
    const Frame& frame = *--end;
    if (!frame.marked) return is_around(shadow, frame, site);
  }
  return true;
}

// Returns true if the frame's function may have ended with a jump to the function that is entered here.
bool may_go_on(const Frame& frame, const BoundaryName* name, CallSite site) {
  return stack_of(site) == frame.stack && site.address == frame.return_address && name != frame.name;
}

// Returns where the operator's frame belongs: after the existing frames, if the thread is inside all of them,
// or in the place of the last one, if that has ended. Returns null in all other cases, which enter_any_frame
// handles.
Frame* place_of_scope(ShadowStack& shadow, const BoundaryName* name, CallSite site) {
  Frame* place = shadow.frames + shadow.depth;
  const Frame& last = place[-1];
  if (is_hooked_scope(last)) {
    if (is_around(shadow, last, site)) return place;
    if (may_go_on(last, name, site)) return nullptr;
    --place;
  }
  return are_around(shadow, place, site) ? place : nullptr;
}

// Writes the operator's frame to its place. Sets t_frame first, so that a signal handler that allocates in
// between finds the frames around it in place.
void put_scope(Frame& place, const BoundaryName* name, CallSite site) {
  Frame fresh{stack_of(site), site.address, nullptr, name, FrameKind::kScope, t_route, false};
  fresh.kept_return = return_at_entry(fresh);
  t_frame = {fresh.stack, return_slot_of(fresh), fresh.kept_return};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place = fresh;
}

[[gnu::noinline]] void enter_any_frame(FrameKind kind, const BoundaryName* name, CallSite site) {
  ShadowStack* shadow = own_shadow();
  if (g_sink == nullptr || shadow == nullptr || !shadow->owns(stack_of(site))) return;
  settle_for_entry(*shadow, name, site);
  if (!has_room(*shadow)) return;
  Frame frame{stack_of(site), site.address, nullptr, name, kind, t_route, false};
  frame.kept_return = return_at_entry(frame);
  if (kind == FrameKind::kLoading) return begin_loading(*shadow, frame);
  if (kind == FrameKind::kPass && !shadow->in_pass) return begin_pass(*shadow, frame, 0, site);
  if (kind == FrameKind::kScope && shadow->in_pass) return begin_scope(*shadow, frame);
}

bool is_in_pass(const ShadowStack* shadow, CallSite site) {
  return shadow != nullptr && shadow->in_pass && shadow->owns(stack_of(site));
}

}  // namespace

void set_boundary_sink(const BoundarySink* sink) {
  g_sink = sink;
}

void call_after_loading(void (*function)()) {
  g_after_loading = function;
}

[[gnu::cold, gnu::noinline]] void leave_ended_frames(CallSite site) {
  if (t_shadow != nullptr) settle(*t_shadow, site);
}

// Does what enter_any_frame does, with a fast path for operators inside a pass. The fast path costs some 80
// instructions, and the arena's work some 50 more.
void enter_frame(FrameKind kind, const BoundaryName* name, CallSite site) {
  ShadowStack* shadow = t_shadow;
  if (kind != FrameKind::kScope || !is_in_pass(shadow, site)) return enter_any_frame(kind, name, site);
  Frame* place = place_of_scope(*shadow, name, site);
  Frame* end = shadow->frames + shadow->depth;
  if (place == nullptr || place == shadow->frames + kMostFrames) return enter_any_frame(kind, name, site);
  if (place == end) {
    put_scope(*place, name, site);
    ++shadow->depth;
    tell_scopes(nullptr, name);
  } else {
    const BoundaryName* ended = place->name;
    put_scope(*place, name, site);
    tell_scopes(ended, name);
  }
}

void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site) {
  ShadowStack* shadow = own_shadow();
  if (g_sink == nullptr || shadow == nullptr) return;
  settle(*shadow, site);
  if (joins_running_pass(*shadow, site)) {
    ++shadow->nested_marks;
    return;
  }
  leave_running_pass(*shadow);
  if (!has_room(*shadow)) return;
  begin_pass(*shadow, marked_frame(FrameKind::kPass, &name), key, site);
}

void leave_marked_pass(CallSite site) {
  if (t_shadow == nullptr) return;
  settle(*t_shadow, site);
  if (t_shadow->nested_marks > 0) {
    --t_shadow->nested_marks;
    return;
  }
  pop_marked(*t_shadow, FrameKind::kPass);
}

void enter_marked_scope(const BoundaryName& name, CallSite site) {
  ShadowStack* shadow = own_shadow();
  if (g_sink == nullptr || shadow == nullptr) return;
  settle(*shadow, site);
  if (!shadow->in_pass || !has_room(*shadow)) return;
  begin_scope(*shadow, marked_frame(FrameKind::kScope, &name));
}

void leave_marked_scope(CallSite site) {
  if (t_shadow == nullptr) return;
  settle(*t_shadow, site);
  pop_marked(*t_shadow, FrameKind::kScope);
}

bool on_own_stack(std::uintptr_t stack) {
  return t_shadow == nullptr || t_shadow->owns(stack);
}

bool has_room_below(std::uintptr_t stack, std::size_t bytes) {
  return t_shadow != nullptr && t_shadow->owns(stack) && stack - t_shadow->low >= bytes;
}

void keep_own_shadow_in_copy() {
  if (t_shadow != nullptr) t_shadow->owner = runtime::current_thread();
}

}  // namespace memo::guest
