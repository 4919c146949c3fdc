// What jemalloc does when nobody says otherwise, chosen for inference servers; docs/heap.md has the
// measurements. MALLOC_CONF in the environment is read after it and wins.

extern "C" {
// jemalloc's own name for it is malloc_conf; the weak definition there gives way to this one.
extern const char* memo_je_malloc_conf;
const char* memo_je_malloc_conf =
    "oversize_threshold:0,dirty_decay_ms:-1,muzzy_decay_ms:-1,lg_extent_max_active_fit:8";
}
