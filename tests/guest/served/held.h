// Asks the kernel what the process holds: anonymous memory to the page, and the number of mappings. Both are exact, so that a
// leak of a page in each of two thousand rounds is no matter of statistics.
#pragma once

#include <fcntl.h>

#include "tests/guest/hostile/hostile.h"

namespace served {

struct Held {
  long kilobytes;
  long mappings;
};

// Reads a file of /proc in pieces, without an allocation that would be part of what is measured.
template <typename Take>
void read_pieces(const char* path, Take take) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  EXPECT(file >= 0);
  char piece[4096];
  for (ssize_t got = 0; (got = read(file, piece, sizeof piece - 1)) > 0;) {
    piece[got] = '\0';
    take(piece);
  }
  close(file);
}

inline Held held_now() {
  Held held{.kilobytes = -1, .mappings = 0};
  read_pieces("/proc/self/smaps_rollup", [&](const char* text) {
    const char* found = strstr(text, "Anonymous:");
    if (found != nullptr) held.kilobytes = atol(found + strlen("Anonymous:"));
  });
  EXPECT(held.kilobytes > 0);
  read_pieces("/proc/self/maps", [&](const char* text) {
    for (; (text = strchr(text, '\n')) != nullptr; ++text) ++held.mappings;
  });
  return held;
}

// After a warm-up of `warm_up` rounds, `rounds` more leave the process with what it held: but for some pages of the heap and
// of stacks, which settle where they settle, and for the buffers of one thread more at once than before.
template <typename Round>
void expect_flat(const char* what, int warm_up, int rounds, Round round) {
  constexpr long kSettled = 256;  // kilobytes; a page lost in each round would be 4 for each
  constexpr long kMappings = 4;
  for (int at = 0; at < warm_up; ++at) round(at);
  const Held before = held_now();
  for (int at = 0; at < rounds; ++at) round(at);
  const Held after = held_now();
  printf("%s: %d rounds, from %ld kB in %ld mappings to %ld in %ld\n", what, rounds, before.kilobytes,
         before.mappings, after.kilobytes, after.mappings);
  fflush(stdout);
  EXPECT(after.kilobytes <= before.kilobytes + kSettled);
  EXPECT(after.mappings <= before.mappings + kMappings);
}

}  // namespace served
