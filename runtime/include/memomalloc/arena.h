// The arena as a library, for a program that plans its own memory and asks for it directly instead of through malloc.
//
//   memo::arena::serve_plan("model.plan");
//   memo::arena::pass_begin(key, __builtin_frame_address(0));
//     void* p = memo::arena::allocate(size, alignment, site);   // null: take it from your heap
//     if (!memo::arena::release(p)) free(p);                    // false: it is your heap's
//   memo::arena::pass_end();
//
// All functions are safe from any thread. A pass, its scopes and its allocations belong to the calling thread.
#ifndef MEMOMALLOC_ARENA_H
#define MEMOMALLOC_ARENA_H

#include <cstddef>
#include <cstdint>

namespace memo::arena {

// Serves from the plan in `path` from the next pass on. Returns false where the plan cannot be used; the one before stays.
[[nodiscard]] bool serve_plan(const char* path);

// Returns true if the arena would take these bytes for a plan. Otherwise writes one sentence to `why`, cut to `capacity`.
[[nodiscard]] bool accepts_plan(const void* bytes, std::size_t size, char* why, std::size_t capacity);

// Begins a pass, or joins the one that is running if `frame`, an address in the caller's stack frame, lies deeper in the stack.
void pass_begin(std::uint64_t key, const void* frame);
void pass_end();

// Returns true if the plan knows passes by the call sites that open them, has nothing left for this one, and no other variant
// would go on with an allocation from `site`. The caller then ends the pass.
[[nodiscard]] bool pass_is_used_up(std::uint64_t site);

void scope_begin(const char* name);
void scope_end();

// Returns a block for `size` bytes from the slab, or null where the plan has none. `site` is the call site as the plan knows it;
// `alignment` is a power of two.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment, std::uint64_t site);

// Returns false where the block is not the arena's.
[[nodiscard]] bool release(void* block);

// Returns what a live block can hold, 0 for anything else.
[[nodiscard]] std::size_t usable_size(const void* block);

inline constexpr unsigned kReasons = 11;  // why an allocation of a pass was not served

struct Figures {
  std::uint64_t passes, served, served_bytes;
  std::uint64_t searched;  // requests that were not what the plan expected next
  std::uint64_t missed, missed_bytes;
  std::uint64_t kept_bytes;  // of the missed bytes, those of blocks that outlive their pass
  std::uint64_t missed_for[kReasons];
};

// Returns the sums of all passes of this process, with what the calling thread's pass has done so far.
[[nodiscard]] Figures figures();

// Returns the name of a reason, as the statistics have it.
[[nodiscard]] const char* reason_name(unsigned reason);

// Writes the statistics as a JSON object, NUL-terminated and cut to `capacity`. Returns the length that it needs.
std::size_t statistics_json(char* out, std::size_t capacity);

// Writes the statistics that a live page of another process holds (runtime/formats/live_page.h), in the same way.
// Returns 0 if these bytes are no live page of this version.
std::size_t statistics_of_live_page(const void* page, std::size_t bytes, char* out, std::size_t capacity);

// Returns what the limits of the control groups around a process leave for a slab. `own` names the process's groups, as
// /proc/self/cgroup does; `all` is where the kernel shows them.
[[nodiscard]] std::uint64_t room_in_groups(const char* own, const char* all);

}  // namespace memo::arena

#endif
