// How long to leave alone what did not help: a first length, each further one a few times as long, up to a limit.
//
//   in vain     once    twice       three times         …    ever since
//   lengths     first   2 · first   4 · first           …    longest
//
// States the lengths alone, in nanoseconds, passes, or whatever its user counts. The user keeps the last one, plain or atomic as
// its threads want it. 0 is none yet, so that storing 0 forgets that anything was in vain, and zeroed memory is ready for use.
#pragma once

#include <algorithm>

namespace memo::runtime {

template <typename Length>
struct Backoff {
  Length first;
  Length longest;  // at least the first
  Length factor = 2;

  // Returns the length that follows `last`; the first one after anything much shorter. Overflows for no `last`.
  [[nodiscard]] constexpr Length after(Length last) const {
    return last > longest / factor ? longest : std::max(first, factor * last);
  }
};

}  // namespace memo::runtime
