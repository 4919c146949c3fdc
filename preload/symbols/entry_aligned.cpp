#include "preload/symbols/entry_aligned.h"

namespace memo::guest {

int routed_posix_memalign(void** out, std::size_t alignment, std::size_t size, CallSite site) {
  if (!is_power_of_two(alignment) || alignment < sizeof(void*)) return EINVAL;
  const int saved = errno;
  void* block = frames_have_ended(site)
                    ? routed_allocate(size, alignment, AllocationKind::kAligned, site)
                    : allocate_unforeseen(size, alignment, AllocationKind::kAligned, site);
  errno = saved;
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}

}  // namespace memo::guest
