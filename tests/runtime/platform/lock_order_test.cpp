// The check of the order of locks, in a program with assertions: it ends the program before a thread waits for a lock in the
// wrong order, and lets every right order pass. Failure: a deadlock that a test would meet once in a thousand runs.
#ifdef NDEBUG
#error "without assertions there is no check"
#endif
#include "runtime/platform/lock_order.h"

#include <gtest/gtest.h>

namespace memo::runtime {
namespace {

constexpr Lock kInOrder[] = {Lock::kPlans, Lock::kRecording, Lock::kTraceFile};

// Holds a lock of this name for as long as it lives.
class Holding {
 public:
  explicit Holding(Lock lock) : lock_(lock) {
    expect_may_wait_for(lock);
    note_taken(lock);
  }
  ~Holding() { note_given_back(lock_); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  const Lock lock_;
};

TEST(LockOrder, AllowsAllInTheirOrderAndAgainAfterwards) {
  for (int round = 0; round < 2; ++round) {
    expect_no_lock_held();
    const Holding plans(Lock::kPlans);
    const Holding recording(Lock::kRecording);
    const Holding file(Lock::kTraceFile);
  }
}

TEST(LockOrderDeathTest, EndsTheProgramForAnEarlierLockAndForTheSame) {
  for (const Lock held : kInOrder)
    for (const Lock wanted : kInOrder) {
      if (wanted > held) continue;
      EXPECT_DEATH(
          {
            const Holding one(held);
            const Holding other(wanted);
          },
          "");
    }
}

TEST(LockOrderDeathTest, EndsTheProgramWhereTheLoaderIsAskedUnderAnyLock) {
  for (const Lock held : kInOrder)
    EXPECT_DEATH(
        {
          const Holding one(held);
          expect_no_lock_held();
        },
        "");
}

}  // namespace
}  // namespace memo::runtime
