#include "preload/symbols/entry_aligned.h"

namespace memo::guest {

namespace {

// Returns true for an alignment that posix_memalign takes and that every cell of a plan has.
bool is_ordinary_alignment(std::size_t alignment) {
  return alignment == 64 || alignment == 32 || alignment == 16 || alignment == 8;
}

bool is_allowed(std::size_t alignment) {
  return is_power_of_two(alignment) && alignment >= sizeof(void*);
}

int hand_out(void** out, void* block) {
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}

// Does what the arena leaves to others, and keeps errno: only they change it.
[[gnu::noinline]] int missed_posix_memalign(runtime::Boundary boundary, void** out, std::size_t alignment,
                                            std::size_t size, CallSite site) {
  const int saved = errno;
  void* block = allocate_missed(boundary, size, alignment, AllocationKind::kAligned, site);
  errno = saved;
  return hand_out(out, block);
}

[[gnu::noinline]] int outside_posix_memalign(void** out, std::size_t alignment, std::size_t size,
                                             CallSite site) {
  const int saved = errno;
  void* block = allocate_outside(size, alignment, AllocationKind::kAligned, site);
  errno = saved;
  return hand_out(out, block);
}

[[gnu::noinline]] int routed_posix_memalign(void** out, std::size_t alignment, std::size_t size,
                                            CallSite site) {
  if (!is_allowed(alignment)) return EINVAL;
  const int saved = errno;
  void* block = routed_allocate(size, alignment, AllocationKind::kAligned, site);
  errno = saved;
  return hand_out(out, block);
}

// Asks the arena itself: tensors come this way, and one call more would cost a tenth of a large slot.
[[gnu::noinline]] int unforeseen_posix_memalign(void** out, std::size_t alignment, std::size_t size,
                                                CallSite site) {
  if (!is_allowed(alignment)) return EINVAL;
  if (!in_pass()) return outside_posix_memalign(out, alignment, size, site);
  const runtime::Answer answer = runtime::answer(size, alignment, address_of(site));
  if (answer.block == nullptr) [[unlikely]]
    return missed_posix_memalign(answer.boundary, out, alignment, size, site);
  *out = answer.block;
  return 0;
}

}  // namespace

int off_heap_posix_memalign(void** out, std::size_t alignment, std::size_t size, CallSite site) {
  if (frames_have_ended(site)) [[unlikely]]
    return routed_posix_memalign(out, alignment, size, site);
  if (is_ordinary_alignment(alignment) && take_foreseen(size, site, out)) return 0;
  return unforeseen_posix_memalign(out, alignment, size, site);
}

}  // namespace memo::guest
