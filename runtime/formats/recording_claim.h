// The claim to record: a small file beside the traces. It names the process of a tree that records now
// (preload/modes/auto/recording_claim.h says what for). Whoever reads or changes it locks the file first
// (F_SETLK), and looks whether it still has its name.
#pragma once

#include <cstdint>

namespace memo::claim {

inline constexpr const char* kFileName = "recording.claim";

// An empty file beside it: the program itself marks passes, so no other one that it starts is learned (stranger.h).
inline constexpr const char* kProgramMarks = "program.marks";

// The work of the process that holds the claim.
enum class Work : std::uint64_t {
  kNothing = 0,          // nobody holds the claim
  kEverything = 1,       // it has seen no pass yet, and records all allocations
  kPasses = 2,           // it records passes
  kAwaitsThePlan = 3,    // it has recorded enough
  kPassesOfAnother = 4,  // it records passes, and is not the program that was started
};

struct Record {
  std::uint64_t process;  // the kernel's number
  std::uint64_t started;  // runtime::start_of_process() of it, which tells it from a later one of that number
  Work work;
  std::int64_t renewed;  // seconds of CLOCK_MONOTONIC
};
static_assert(sizeof(Record) == 32);

}  // namespace memo::claim
