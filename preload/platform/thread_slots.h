// State for each thread, too large for thread-local storage, without a destructor to register: slots are mapped, kept
// in a list, and taken over from threads that are gone once there are many. No lock; nothing is ever unmapped.
//
// Slot is plain data whose zeroed form is its start, with members
//   Slot* next;              the list
//   std::uint32_t owner;     the thread's name (runtime/platform/identity.h), 0 for nobody
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/own_memory.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

template <typename Slot>
class ThreadSlots {
 public:
  // A slot for the calling thread, or null where there is no memory. `inherited` tells that another thread, now gone,
  // left its state in it.
  Slot* take(bool& inherited) {
    inherited = false;
    if (Slot* left = count() >= kRecycleFrom ? take_over() : nullptr) {
      inherited = true;
      return left;
    }
    return make();
  }

  [[nodiscard]] Slot* first() const { return __atomic_load_n(&first_, __ATOMIC_ACQUIRE); }

 private:
  // Below this many, looking for the dead is not worth the system calls.
  static constexpr std::uint32_t kRecycleFrom = 32;

  [[nodiscard]] std::uint32_t count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

  Slot* take_over() {
    const runtime::ThreadName self = runtime::current_thread();
    for (Slot* slot = first(); slot != nullptr; slot = slot->next) {
      runtime::ThreadName owner = __atomic_load_n(&slot->owner, __ATOMIC_RELAXED);
      if (!runtime::has_ended(owner, self)) continue;
      if (__atomic_compare_exchange_n(&slot->owner, &owner, self, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
        return slot;
      }
    }
    return nullptr;
  }

  Slot* make() {
    void* memory = runtime::map_own(runtime::Own::kThreads, sizeof(Slot));
    if (memory == nullptr) return nullptr;
    auto* slot = static_cast<Slot*>(memory);
    slot->owner = runtime::current_thread();
    slot->next = first();
    while (
        !__atomic_compare_exchange_n(&first_, &slot->next, slot, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    __atomic_add_fetch(&count_, 1, __ATOMIC_RELAXED);
    return slot;
  }

  Slot* first_ = nullptr;
  std::uint32_t count_ = 0;
};

}  // namespace memo::guest
