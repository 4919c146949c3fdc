#include "preload/modes/serve/allocating.h"

#include <cstring>

#include "preload/dispatch/heap_block.h"
#include "preload/dispatch/routed.h"
#include "preload/modes/serve/between_passes.h"
#include "preload/modes/serve/in_pass.h"
#include "preload/platform/kept_errno.h"
#include "runtime/pass/arena.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"
#include "runtime/serving/serving.h"

namespace memo::guest {

namespace {

constexpr std::uint32_t kCallsBetweenLooks = 64;  // allocations of a thread that awaits a pass

thread_local constinit std::uint32_t t_awaiting __attribute__((tls_model("initial-exec"))) = 0;

std::uintptr_t address_of(CallSite site) {
  return reinterpret_cast<std::uintptr_t>(site.address);
}

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

bool worker_moves_on(CallSite site) {
  return runtime::worker_moves_on(address_of(site));
}

[[gnu::cold, gnu::noinline]] void move_worker_on(CallSite site) {
  const KeptErrno kept;
  const bool in_pass = runtime::move_worker_on(address_of(site));
  t_route = in_pass ? Route::kInPass : Route::kAwaiting;
}

// Opens or ends what an allocation opens or ends that does not belong to the running pass, or that no pass runs for.
void cross_boundary(std::size_t size, CallSite site) {
  if (!runtime::anchors_open_passes()) {
    if (!on_plain_heap() && worker_moves_on(site)) move_worker_on(site);
    return;
  }
  const runtime::Anchor* anchor = runtime::find_anchor(address_of(site), size);
  if (anchor != nullptr) return open_pass(*anchor);
  if (in_pass() && runtime::pass_is_used_up(address_of(site))) close_pass();
}

// Returns null where the heap shall serve, as all functions do that ask the arena.
[[gnu::noinline]] void* allocate_across_boundary(std::size_t size, std::size_t alignment, CallSite site) {
  cross_boundary(size, site);
  return in_pass() ? runtime::allocate_aligned(size, alignment, address_of(site)) : nullptr;
}

void* ask_arena(std::size_t size, std::size_t alignment, CallSite site) {
  const runtime::Answer answer = runtime::answer(size, alignment, address_of(site));
  if (answer.instead == runtime::Instead::kBoundary) [[unlikely]]
    return allocate_across_boundary(size, alignment, site);
  return answer.block;
}

void* made_ready(void* block, std::size_t size, AllocationKind kind) {
  return kind == AllocationKind::kCalloc ? std::memset(block, 0, size) : block;
}

// Does what ask_arena() does where nobody has tried the expected cell yet.
void* allocate_in_pass(std::size_t size, std::size_t alignment, CallSite site) {
  void* block;
  if (alignment <= kGranule && take_foreseen(size, site, &block)) return block;
  return ask_arena(size, alignment, site);
}

// Returns the block that the arena had, ready for the program, or one of the heap.
void* or_from_heap(void* block, std::size_t size, std::size_t alignment, AllocationKind kind) {
  return block == nullptr ? allocate_from_heap(size, alignment, kind) : made_ready(block, size, kind);
}

// Looks for another plan, and reports that the present one serves nothing: where no pass ever begins, no other
// code would. Costs a clock reading, and a stat twice a second.
[[gnu::cold, gnu::noinline]] void look_while_awaiting() {
  const KeptErrno kept;
  runtime::look_after_plans();
  release_what_is_due();
  if (runtime::passes_are_missed_after(kCallsBetweenLooks)) say_that_no_pass_began();
}

// Returns true if the thread awaits an anchor or a worker's pass and this allocation opens neither, as most
// allocations of threads that never run a pass.
bool opens_nothing(std::size_t size, CallSite site) {
  if (t_route != Route::kAwaiting) return false;
  if (++t_awaiting % kCallsBetweenLooks == 0) look_while_awaiting();
  if (!runtime::anchors_open_passes()) return !worker_moves_on(site);
  return runtime::find_anchor(address_of(site), size) == nullptr;
}

}  // namespace

void* allocate_serving(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  void* block =
      in_pass() ? allocate_in_pass(size, alignment, site) : allocate_across_boundary(size, alignment, site);
  return or_from_heap(block, size, alignment, kind);
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
                        : allocate_in_pass(size, 1, site);
  if (!planned && fresh == nullptr) return heap::reallocate(old, size);
  if (fresh == nullptr) return nullptr;
  move_content(fresh, old, usable_size_serving(old), size);
  release_serving(old, site);
  return fresh;
}

void* allocate_instead(runtime::Instead instead, std::size_t size, std::size_t alignment, AllocationKind kind,
                       CallSite site) {
  if (instead == runtime::Instead::kHeap) return allocate_from_heap(size, alignment, kind);
  if (in_pass()) return or_from_heap(allocate_across_boundary(size, alignment, site), size, alignment, kind);
  if (opens_nothing(size, site)) return allocate_from_heap(size, alignment, kind);
  return routed_allocate(size, alignment, kind, site);
}

void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  const runtime::Answer answer = answer_unforeseen(size, alignment, site);
  if (answer.block == nullptr) return allocate_instead(answer.instead, size, alignment, kind, site);
  return made_ready(answer.block, size, kind);
}

void release_unforeseen(void* block, CallSite site) {
  if (!runtime::release_large(block)) routed_release(block, site);
}

}  // namespace memo::guest
