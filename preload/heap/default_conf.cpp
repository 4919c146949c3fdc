// The default settings of jemalloc, chosen for inference servers; docs/heap.md has the measurements. jemalloc
// reads MALLOC_CONF from the environment afterwards, and it wins over these settings.
#include <cstdint>

#include "preload/heap/heap.h"
#include "runtime/platform/limits.h"

extern "C" {
// jemalloc's own name for this variable is malloc_conf; this definition replaces jemalloc's weak one.
extern const char* memo_je_malloc_conf;
const char* memo_je_malloc_conf = "oversize_threshold:0,lg_extent_max_active_fit:40";
}

namespace memo::guest::heap {
namespace {

constexpr std::uint64_t kTight = std::uint64_t{1} << 30;  // bytes of address space left

}  // namespace

// jemalloc does not merge small pages that it keeps dirty into larger blocks: the heap grows to nearly three times
// the size of what lives in it, and would run out of addresses where the heap of the C library does not.
void suit_address_space() {
  if (runtime::room_of_addresses() < kTight)
    memo_je_malloc_conf = "oversize_threshold:0,dirty_decay_ms:0,lg_extent_max_active_fit:40";
}

}  // namespace memo::guest::heap
