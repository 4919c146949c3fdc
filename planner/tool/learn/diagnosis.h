// Says why nothing was learned of a program, and what to do about it: a function of facts, which explanations.cpp
// gathers.
#pragma once

#include <cstdint>
#include <string>

namespace memo::learn {

struct Facts {
  std::string program;              // the name of its file
  bool ended = false;               // the program has ended
  bool linked_statically = false;   // no loader reads LD_PRELOAD
  bool script = false;              // the program's file is a shell script
  bool torch = false;               // PyTorch was mapped into a process that was recorded
  bool recorder_ended = false;      // before the program did, or for a while
  std::uint64_t allocations = 0;    // in all traces
  std::uint64_t marked_passes = 0;  // complete passes that were marked or hooked
};

// Returns one sentence with the reason and the cure.
[[nodiscard]] std::string diagnose(const Facts& facts);

}  // namespace memo::learn
