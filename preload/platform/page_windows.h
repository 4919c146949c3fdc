// Pages that show at several addresses: one object of memory, mapped once into each of 2^bits windows.
//
//   first            first + S        first + 2 S                      S: 2^shift, the bytes of a window
//   |    window 0    |    window 1    |    …       |    the byte at one offset is the same byte in each
//
// `first` is a multiple of all their bytes together, so some bits of a pointer say which window it is of, and the others
// stay the same from window to window.
//
// The object is shared memory, and a forked child would share it with its parent. So the windows can be parted. After
// them lies one more mapping for each, of the same object, private: its pages are copied on write. To part the
// windows is to move these mappings over them: the bytes stay as they are, the object is never written to again, and what
// is written through one window shows there alone. Everything that this takes is there from the start: it needs no file
// (the program may close any), and less mappings than before.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest::platform {

struct PageWindows {
  std::uintptr_t first = 0;
  std::uintptr_t spare = 0;  // the mappings that part them, in the same order
  int shift = 0;
  int bits = 0;
};

// Makes 2^bits windows, smaller ones where `ulimit -v` leaves few addresses. They fault until open_windows() opens them.
// Returns null where it did, else the reason why not. Keeps errno.
[[nodiscard]] const char* make_windows(int bits, PageWindows& windows);

// Opens `bytes` more bytes of each window, after the `opened` ones. Returns false if the kernel refuses; these bytes must
// not be used then.
[[nodiscard]] bool open_windows(const PageWindows& windows, std::size_t opened, std::size_t bytes);

// Gives the memory of pages back; they read as zeroes in every window from then on. Returns false if the kernel refuses, as
// it does where the windows are parted.
[[nodiscard]] bool empty_windows(const void* in_first_window, std::size_t bytes);

// Parts the windows, of which so many bytes were opened. Other threads may use them meanwhile. Whoever reads in the new
// state a word that was set before the call finds in every window what threads stored before they read its old state.
// Returns false if the kernel refuses: some windows still share their pages then.
[[nodiscard]] bool part_windows(const PageWindows& windows, std::size_t opened);

}  // namespace memo::guest::platform
