// What jemalloc does when nobody says otherwise, chosen for inference servers; docs/heap.md has the
// measurements. MALLOC_CONF in the environment is read after it and wins.
#include <cstdint>

#include "preload/heap/heap.h"
#include "runtime/platform/memory_limits.h"

extern "C" {
// jemalloc's own name for it is malloc_conf; the weak definition there gives way to this one.
extern const char* memo_je_malloc_conf;
const char* memo_je_malloc_conf =
    "oversize_threshold:0,dirty_decay_ms:-1,muzzy_decay_ms:-1,lg_extent_max_active_fit:8";
}

namespace memo::guest::heap {
namespace {

constexpr std::uint64_t kTight = std::uint64_t{1} << 30;  // bytes of address space that are left

}  // namespace

// Pages that are kept as they are do not become part of larger blocks: the heap grows to nearly three times of what lives in it,
// and would run out where the C library's does not.
void suit_address_space() {
  if (runtime::room_of_addresses() < kTight)
    memo_je_malloc_conf = "oversize_threshold:0,dirty_decay_ms:0,muzzy_decay_ms:0,lg_extent_max_active_fit:8";
}

}  // namespace memo::guest::heap
