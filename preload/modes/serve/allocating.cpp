#include "preload/modes/serve/allocating.h"

#include <cstdint>
#include <cstring>

#include "preload/dispatch/heap_block.h"
#include "preload/dispatch/off_heap.h"
#include "preload/modes/serve/between_passes.h"
#include "preload/platform/kept_errno.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"

namespace memo::guest {

namespace {

// Ends a pass that an anchor opened, where its plan has no slots left.
[[gnu::cold, gnu::noinline]] void close_pass() {
  const KeptErrno kept;
  runtime::pass_end();
  t_route = route_outside();
}

[[gnu::cold, gnu::noinline]] void open_pass(const runtime::Anchor& anchor) {
  const KeptErrno kept;
  runtime::pass_open(anchor.pass_key.load(std::memory_order_relaxed));
  t_route = Route::kInPass;
  runtime::anchor_was_met();
  report_between_passes();
}

[[gnu::cold, gnu::noinline]] void move_worker_on(CallSite site) {
  const KeptErrno kept;
  const bool in_pass = runtime::move_worker_on(address_of(site));
  t_route = in_pass ? Route::kInPass : Route::kAwaiting;
}

void cross(runtime::Boundary boundary, CallSite site) {
  switch (boundary.kind) {
    case runtime::Boundary::Kind::kIsNone:
      return;
    case runtime::Boundary::Kind::kOpens:
      return open_pass(runtime::g_anchors.rows[boundary.anchor]);
    case runtime::Boundary::Kind::kEnds:
      return close_pass();
    case runtime::Boundary::Kind::kMovesOn:
      return move_worker_on(site);
  }
}

// Returns null where the heap shall serve, as the next function does.
void* ask_arena_across(runtime::Boundary boundary, std::size_t size, std::size_t alignment, CallSite site) {
  cross(boundary, site);
  return in_pass() ? runtime::allocate_aligned(size, alignment, address_of(site)) : nullptr;
}

// A thread on the plain heap has passes of its own, and becomes no worker.
runtime::Boundary boundary_outside(std::size_t size, CallSite site) {
  if (on_plain_heap() && !runtime::anchors_open_passes()) return {};
  return runtime::boundary_at(size, address_of(site));
}

// Asks the arena where the expected cell was not tried yet.
void* ask_arena(std::size_t size, std::size_t alignment, CallSite site) {
  if (!in_pass()) return ask_arena_across(boundary_outside(size, site), size, alignment, site);
  void* block;
  if (alignment <= kGranule && take_foreseen(size, site, &block)) return block;
  const runtime::Answer answer = runtime::answer(size, alignment, address_of(site));
  if (answer.boundary.kind == runtime::Boundary::Kind::kIsNone) [[likely]]
    return answer.block;
  return ask_arena_across(answer.boundary, size, alignment, site);
}

// Returns the block that the arena had, ready for the program, or one of the heap.
void* or_from_heap(void* block, std::size_t size, std::size_t alignment, AllocationKind kind) {
  if (block == nullptr) return allocate_from_heap(size, alignment, kind);
  return kind == AllocationKind::kCalloc ? std::memset(block, 0, size) : block;
}

}  // namespace

void* allocate_serving(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  return or_from_heap(ask_arena(size, alignment, site), size, alignment, kind);
}

void* allocate_across(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                      AllocationKind kind, CallSite site) {
  return or_from_heap(ask_arena_across(boundary, size, alignment, site), size, alignment, kind);
}

void release_serving(void* block, CallSite) {
  const KeptErrno kept;
  if (!runtime::release(block)) heap::release(block);
}

std::size_t usable_size_serving(const void* block) {
  return runtime::owns(block) ? runtime::usable_size(block) : heap::usable_size(block);
}

// Resizes a block of the slab within its slot where it fits. Otherwise moves it to wherever an allocation of
// this size goes now. Moves a block of the heap into the slab if a pass resizes it and the plan has a slot for
// it.
void* reallocate_serving(void* old, std::size_t size, CallSite site) {
  const bool planned = runtime::owns(old);
  if (planned && runtime::resize_in_place(old, size, address_of(site))) return old;
  if (!planned && !in_pass()) return heap::reallocate(old, size);
  void* fresh = planned ? allocate_serving(size, kDefaultAlignment, AllocationKind::kMalloc, site)
                        : ask_arena(size, 1, site);
  if (!planned && fresh == nullptr) return heap::reallocate(old, size);
  if (fresh == nullptr) return nullptr;
  move_content(fresh, old, usable_size_serving(old), size);
  release_serving(old, site);
  return fresh;
}

}  // namespace memo::guest
