// The lock of the plans and lanes, and what it guards. For the files of this folder alone.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/platform/lock_order.h"
#include "runtime/platform/process_lock.h"
#include "runtime/serving/copies.h"
#include "runtime/slab/lane.h"

namespace memo::runtime {

// The identity of one version of a file.
struct FileStamp {
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t bytes;
  std::int64_t changed;  // nanoseconds since 1970

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// The state of serving. Everything below `lock` is used under it. While a thread holds it, it serves no
// allocation and does not ask the loader (runtime/platform/lock_order.h).
struct Serving {
  std::atomic<std::uint32_t> lanes;
  std::atomic<std::int64_t> next_look;
  std::atomic<bool> watching;
  std::atomic<bool> growth_wanted;
  std::atomic<bool> grows_beside;             // growths may run on a thread of their own
  std::atomic<std::uint32_t> retired_lanes;   // lanes of replaced plans that still hold blocks or passes
  std::atomic<std::int64_t> next_retirement;  // when to look at them again
  std::atomic<std::uint64_t> loader_changes;  // the loader's count at the last look-up of sites
  std::atomic<bool> modules_missing;          // some binary of the plan was not loaded then
  ProcessLock lock;
  char watched[4096];
  char serving[512];
  std::uint64_t plan_hash;             // checksum of the plan that serves
  std::atomic<std::uint64_t> warm_up;  // passes of each kind before it serves steadily
  bool growing;                        // a thread lays a plan out anew
  std::int64_t retirement_pause;       // nanoseconds until the next look at the retired lanes
  FileStamp seen;
  std::uint64_t files_read;
};
extern constinit Serving g_serving;

// Returns false in a copy of the process that was made while another thread changed plans or lanes, or asked
// the loader for sites. No thread of the copy can complete what that one left half done: the plan in force
// serves on, unchanged.
bool plans_may_change();

// Takes the lock, and waits for a thread that holds it. Returns false as ProcessLock::lock() does.
[[nodiscard]] inline bool take_plan_lock() {
  expect_may_wait_for(Lock::kPlans);
  const bool taken = g_serving.lock.lock();
  if (taken) note_taken(Lock::kPlans);
  return taken;
}

inline void give_back_plan_lock() {
  note_given_back(Lock::kPlans);
  g_serving.lock.unlock();
}

class Locked {
 public:
  Locked() : holds_(is_settled_here() && take_plan_lock()) {}
  ~Locked() {
    if (holds_) give_back_plan_lock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  [[nodiscard]] bool may_change() const { return holds_ && plans_may_change(); }

 private:
  const bool holds_;
};

// Serves a thread that must not wait for the lock.
class TriedLock {
 public:
  TriedLock() : got_(g_serving.lock.try_lock()) {
    if (got_) note_taken(Lock::kPlans);
  }
  ~TriedLock() {
    if (got_) give_back_plan_lock();
  }
  TriedLock(const TriedLock&) = delete;
  TriedLock& operator=(const TriedLock&) = delete;
  [[nodiscard]] bool got() const { return got_; }
  [[nodiscard]] bool may_change() const { return got_ && plans_may_change(); }

 private:
  const bool got_;
};

}  // namespace memo::runtime
