// Pages for the heap that show at several addresses (preload/platform/page_windows.h), for mode profile with --tag=alias. jemalloc
// and the library use the first window. The program may be given the same block by its address in any window.
//
//   - The windows open as the heap grows. What has no room in them any more comes from elsewhere and shows once.
//   - Pages that jemalloc gives back are given back in all windows.
//   - Once the windows are parted, the program's pointers must stay those that it has: blocks lie in different memory in
//     different windows. jemalloc then gets no further pages here, and cannot give back those that it has.
#pragma once

#include <cstddef>

#include "preload/platform/page_windows.h"

namespace memo::guest::heap {

// Lets jemalloc's pages show in 2^bits windows. Call this before jemalloc starts. Returns null where they do, else the
// reason why not.
[[nodiscard]] const char* show_pages_in_windows(int bits);

// Returns the windows; without bits if there are none.
const platform::PageWindows& windows();

// Parts the windows, once. To be called before the process is copied, or in the copy.
void part_windows();

// What jemalloc asks of the system, as far as these pages are concerned (outside_calls.cpp). take_aliased_pages() returns
// null where others have to do.
[[nodiscard]] void* take_aliased_pages(std::size_t bytes);
[[nodiscard]] bool are_aliased(const void* pages);
[[nodiscard]] bool empty_aliased_pages(const void* pages, std::size_t bytes);

}  // namespace memo::guest::heap
