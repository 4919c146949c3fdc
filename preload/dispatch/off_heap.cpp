#include "preload/dispatch/off_heap.h"

#include "preload/dispatch/backend.h"
#include "preload/dispatch/heap_block.h"

namespace memo::guest {
namespace {

constexpr std::uint32_t kCallsBetweenLooks = 64;  // allocations of a thread that awaits a pass

thread_local constinit std::uint32_t t_awaiting __attribute__((tls_model("initial-exec"))) = 0;

// Answers a thread that awaits an anchor or a worker's pass. Most of its allocations open neither, as those of threads
// that never run a pass.
void* allocate_awaiting(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (++t_awaiting % kCallsBetweenLooks == 0) backend().look_while_awaiting(kCallsBetweenLooks);
  return allocate_missed(runtime::boundary_at(size, address_of(site)), size, alignment, kind, site);
}

}  // namespace

void* allocate_missed(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                      AllocationKind kind, CallSite site) {
  if (boundary.kind == runtime::Boundary::Kind::kIsNone) [[likely]]
    return allocate_from_heap(size, alignment, kind);
  return backend().allocate_at_boundary(boundary, size, alignment, kind, site);
}

void* allocate_outside(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (t_route == Route::kAwaiting) return allocate_awaiting(size, alignment, kind, site);
  return routed_allocate(size, alignment, kind, site);
}

void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (!in_pass()) return allocate_outside(size, alignment, kind, site);
  const runtime::Answer answer = runtime::answer(size, alignment, address_of(site));
  if (answer.block != nullptr) return answer.block;
  return allocate_missed(answer.boundary, size, alignment, kind, site);
}

void release_unforeseen(void* block, CallSite site) {
  if (!runtime::release_large(block)) routed_release(block, site);
}

}  // namespace memo::guest
