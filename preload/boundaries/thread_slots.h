// State for each thread that is too large for thread-local storage and registers no destructor. Slots are
// mapped and kept in a list. Once there are many, new threads take over the slots of threads that have ended.
// The list has no lock, and no slot is ever unmapped.
//
// Slot is plain data that starts as zeros, with the members
//   Slot* next;              the next slot in the list
//   std::uint32_t owner;     the thread's name (runtime/platform/identity.h), 0 for none
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/own_memory.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

template <typename Slot>
class ThreadSlots {
 public:
  // Returns a slot for the calling thread, or null where there is no memory. Sets `inherited` if the slot
  // still holds the state of another thread, which has ended.
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
  // Slots from which on threads take over old ones. With fewer slots, looking for ended threads is not worth
  // the system calls.
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
