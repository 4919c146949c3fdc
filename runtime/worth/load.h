// How many threads begin passes beside one of them: whether that is as it was while something was measured.
//
//   busy threads   1 + passes of others / passes of the one, as if all were as busy as that one
//   changed        half as many again as before, or the other way round: what tells one from two, and two from three
//
// The watch counts passes as they begin and follows one thread, the one whose passes are compared. It tells what it counted once a
// minute, so that what follows from it happens no more often.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

// Passes that began meanwhile, on one thread and on all others.
struct Load {
  std::uint64_t own, others;

  Load& operator+=(const Load& more) {
    own += more.own;
    others += more.others;
    return *this;
  }
  friend Load operator-(const Load& later, const Load& earlier) {
    return {.own = later.own - earlier.own, .others = later.others - earlier.others};
  }
};

// Returns false where one of the two has too few passes to tell.
[[nodiscard]] bool has_changed(const Load& before, const Load& now);

// Any thread counts and asks whether it is time. The other functions are for one thread at a time.
class LoadWatch {
 public:
  // Counts a pass that the thread begins.
  void count(const void* thread) {
    const bool is_own = thread_.load(std::memory_order_relaxed) == thread;
    (is_own ? own_ : others_).fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_due(std::int64_t now) const { return now >= due_.load(std::memory_order_relaxed); }

  // Returns all that was counted. The difference of two is a load, if the same thread was followed meanwhile.
  [[nodiscard]] Load so_far() const {
    return {.own = own_.load(std::memory_order_relaxed), .others = others_.load(std::memory_order_relaxed)};
  }

  void follow(const void* thread);

  // Returns the load since the last call that had enough to tell something. The next one is due in a minute. Follows `thread`, the
  // caller's, where the one that was followed began nothing.
  [[nodiscard]] Load end_window(const void* thread, std::int64_t now);

 private:
  std::atomic<const void*> thread_{nullptr};
  std::atomic<std::uint64_t> own_{0}, others_{0};
  std::atomic<std::int64_t> due_{0};
  Load begin_{};
};

}  // namespace memo::runtime
