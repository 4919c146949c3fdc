// Why an allocation inside a pass went to the heap. A reason is one row here, one of docs/statistics.md, and the count in
// memomalloc/arena.h: statistics, Prometheus and the advice of `memomalloc report` follow. The columns are
//
//   the enumerator, the name in statistics, what it means, and what a user does about it ("": nothing)
#pragma once

#include <cstdint>
#include <string_view>

// clang-format off
#define MEMO_REASONS(X)                                                                                    \
  X(kNoPlan, "no_plan", "no plan, or none for this pass key; profile this shape",                          \
    "a shape without a variant came: add its trace to the plan")                                           \
  X(kNoLane, "no_lane", "more passes at once than lanes; raise --lanes",                                   \
    "more passes ran at once than there are lanes: raise --lanes, or leave it at 0")                       \
  X(kUnknownSite, "unknown_site",                                                                          \
    "a caller the plan does not know; another build, or a path that was not profiled",                     \
    "another build runs, or a path that was not profiled: profile this build under this load")             \
  X(kUnexpected, "unexpected", "a known caller that allocated more often than in the profile",             \
    "a caller allocates more often than in the profile: profile longer")                                   \
  X(kTooBig, "too_big", "larger than in the profile",                                                      \
    "a shape beyond the profile came: add its trace to the plan")                                          \
  X(kAlignment, "alignment", "aligned more strictly than in the profile",                                  \
    "blocks are aligned more strictly than in the profile: profile this build")                            \
  X(kOccupied, "occupied", "something that still lives shares bytes with the slot",                        \
    "blocks live longer than in the profile: profile longer")                                              \
  X(kGaveUp, "gave_up", "after 128 misses in a row",                                                       \
    "passes are unlike all profiled ones: look at inspect --since, and profile what runs now")             \
  X(kReentered, "reentered", "by a signal handler that interrupted an allocation", "")                     \
  X(kUnplanned, "unplanned", "as the plan foresees", "")                                                   \
  X(kKept, "kept", "the program keeps the block beyond its pass, as the plan foresees", "")
// clang-format on

namespace memo {

enum class Reason : std::uint8_t {
#define MEMO_REASON(reason, name, means, advice) reason,
  MEMO_REASONS(MEMO_REASON)
#undef MEMO_REASON
      kCompared,  // the pass went to the heap to find out what serving is worth: it counts as no fallback
};

inline constexpr std::uint32_t kReasonCount = static_cast<std::uint32_t>(Reason::kCompared);

inline constexpr const char* kReasonNames[kReasonCount] = {
#define MEMO_REASON(reason, name, means, advice) name,
    MEMO_REASONS(MEMO_REASON)
#undef MEMO_REASON
};

struct ReasonAdvice {
  std::string_view reason;
  std::string_view text;
};

inline constexpr ReasonAdvice kReasonAdvice[kReasonCount] = {
#define MEMO_REASON(reason, name, means, advice) {name, advice},
    MEMO_REASONS(MEMO_REASON)
#undef MEMO_REASON
};

}  // namespace memo
