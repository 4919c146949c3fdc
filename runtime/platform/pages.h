// Pages of memory as the kernel gives them. Each call is one system call, page_bytes() excepted. Whatever is
// mapped here is private to this process and reads as zeroes. What the library maps for good goes through
// own_memory.h, which counts it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::runtime {

[[nodiscard]] std::size_t page_bytes();

// Maps memory to read and write. Returns nullptr with errno set if it cannot.
[[nodiscard]] void* map_pages(std::size_t bytes);

// Maps like map_pages(), for memory of which only a part will ever be touched: the kernel puts nothing by for
// the rest.
[[nodiscard]] void* map_sparse_pages(std::size_t bytes);

// Reserves addresses. They fault until open_pages() opens them. Returns nullptr with errno set if it cannot.
[[nodiscard]] void* reserve_addresses(std::size_t bytes);

void unmap_pages(void* memory, std::size_t bytes);

// Each changes the rights of whole pages: all that `memory`, which begins a page, and the bytes touch. The first
// two return false if the kernel refuses.
[[nodiscard]] bool open_pages(void* memory, std::size_t bytes);
[[nodiscard]] bool make_executable(void* memory, std::size_t bytes);  // to read and run, no longer to write
void close_pages(void* memory, std::size_t bytes);

// Gives every page its memory now. Returns false if the kernel has not enough; any page may have some then.
[[nodiscard]] bool populate_pages(void* memory, std::size_t bytes);

// Does the same only where the kernel does it in one call, and writes nothing itself: other threads may use the pages.
// Keeps errno.
bool populate_pages_in_use(void* memory, std::size_t bytes);

// Gives the memory of the pages back. They read as zeroes from then on.
void empty_pages(void* memory, std::size_t bytes);

// Returns how many bytes of the mapped pages are in the machine's memory. Costs a system call for each 2 MiB.
[[nodiscard]] std::uint64_t resident_bytes(void* memory, std::size_t bytes);

// Moves the memory of the pages from `from` to `to`, where it takes the place of what was there: both belong to mappings of
// this library's that may be read and written, and each to one. The pages at `from` read as zeroes from then on. kRefused:
// the kernel does not, and nothing has changed. kLost: it is not known what is at `to` now, which must never be used again.
enum class Moved { kAll, kRefused, kLost };
[[nodiscard]] Moved move_pages(void* from, void* to, std::size_t bytes);

// Asks that the pages, those touched from now on, be huge ones, or small ones. The kernel may ignore it.
void prefer_huge_pages(void* memory, std::size_t bytes);
void prefer_small_pages(void* memory, std::size_t bytes);

// Joins small pages of which some were touched into huge ones now (Linux 6.1). The kernel may refuse it.
void join_pages(void* memory, std::size_t bytes);

}  // namespace memo::runtime
