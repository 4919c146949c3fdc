// The memory that the library maps for itself, beside the slabs and the heap, by purpose. All code that maps
// memory for good goes through here, so that the statistics can say what the library costs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::runtime {

enum class Own : std::uint32_t {
  kPlans,    // copies of plan files, and the tables that are made of them
  kThreads,  // for each thread: events on their way to a trace, call stacks of hooks; also the spare stacks
  kHooks,    // names of passes and operators, and the code that hooked calls go through
  kTable,    // what the recorder knows about blocks; only the touched part counts, see set_own()
};
inline constexpr std::uint32_t kOwnCount = 4;

// Maps zeroed, private memory; returns nullptr with errno set if it cannot. Costs a system call.
[[nodiscard]] void* map_own(Own use, std::size_t bytes);
void unmap_own(Own use, void* memory, std::size_t bytes);

// Counts so many bytes more, of memory that is reserved at once and touched from its begin on.
void add_own(Own use, std::uint64_t bytes);

// Sets the bytes for memory that is reserved in large parts and touched here and there: only its owner knows
// how much of it is in use.
void set_own(Own use, std::uint64_t bytes);

[[nodiscard]] std::uint64_t own_bytes(Own use);

}  // namespace memo::runtime
