// Holds what the programs of this folder share. Each runs three times: plainly, so that what it expects is known to be what
// programs rely on; with the word "record" under `memomalloc profile`, where it makes ordinary passes and nothing else; and
// without it under `memomalloc serve` on the plan made from them, where it first makes the same passes and then does its worst.
// served_test.py reads the statistics.
#pragma once

#include <cstdint>

#include "memomalloc/memomalloc.h"
#include "tests/guest/hostile/hostile.h"

namespace served {

struct Pass {
  explicit Pass(std::uint64_t key = 0) {
    if (memo_pass_begin != nullptr) memo_pass_begin(key);
  }
  ~Pass() {
    if (memo_pass_end != nullptr) memo_pass_end();
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
};

// An operator that is left without an end when the code around it is left by an exception or a jump.
inline void open_scope(const char* name) {
  if (memo_scope_begin != nullptr) memo_scope_begin(name);
}
inline void close_scope() {
  if (memo_scope_end != nullptr) memo_scope_end();
}

// A figure of the process's statistics by its key, the running pass of this thread included; 0 without the library.
inline std::uint64_t figure(const char* key) {
  char text[4096];
  char quoted[64];
  if (memo_stats_json == nullptr || memo_stats_json(text, sizeof text) >= sizeof text) return 0;
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char* found = strstr(text, quoted);
  return found == nullptr ? 0 : strtoull(found + strlen(quoted), nullptr, 10);
}

inline bool by_plan() {
  return figure("plans_loaded") != 0;
}

// Counts the allocations that the slab has served since this was made: where no plan serves, whatever is
// asked for.
class ServedSince {
 public:
  [[nodiscard]] bool are(std::uint64_t count) const {
    return !by_plan() || figure("served") - before_ == count;
  }

 private:
  std::uint64_t before_ = figure("served");
};

// Returns true in the recorded run, after the ordinary passes that a plan is to be made from; in the others these
// are the warm-up of what follows.
template <typename Ordinary>
bool recorded(int argc, Ordinary ordinary_pass) {
  expect_right_allocator();
  const int passes = argc > 1 ? 6 : 2;
  for (int pass = 0; pass < passes; ++pass) ordinary_pass();
  return argc > 1;
}

}  // namespace served
