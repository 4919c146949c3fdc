// Finds where a function keeps its return address, and says whether it is still there, for each processor in
// its own way.
#pragma once

#include <cstdint>

#include "preload/boundaries/shadow_stack.h"

namespace memo::guest {

#if defined(__x86_64__)
// Returns where the return address lies: a call puts it right below the caller's stack pointer.
inline const void* const* return_slot_of(const Frame& frame) {
  return reinterpret_cast<const void* const*>(frame.stack) - 1;
}

inline const void* return_at_entry(const Frame& frame) {
  return *return_slot_of(frame);
}

inline bool return_is_in_place(const ShadowStack&, const Frame& frame) {
  return *return_slot_of(frame) == frame.kept_return;
}

#elif defined(__aarch64__)

// A slot that never matches. The return address has no fixed place on this processor, so every event has to
// look for it in the frame records.
inline constinit const void* const kNoSlot = &kNoSlot;
inline const void* const* return_slot_of(const Frame&) {
  return &kNoSlot;
}

inline const void* return_at_entry(const Frame&) {
  return nullptr;
}

// The frame record that x29 points to in every function that calls others.
struct FrameRecord {
  const FrameRecord* caller;
  const void* return_address;
};

// Returns the address without its upper bits, which may hold the signature of a signed return address.
inline const void* without_signature(const void* address) {
  constexpr int kUpperBits = 16;
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) << kUpperBits >> kUpperBits);
}

inline bool is_same_address(const void* one, const void* other) {
  return without_signature(one) == without_signature(other);
}

// Returns false if the function's return address is in no frame record between here and the stack pointer of
// its caller, where the function's record must lie. A chain that does not lead up to there says nothing, and
// the function counts as running.
[[gnu::noinline]] inline bool return_is_in_place(const ShadowStack& shadow, const Frame& frame) {
  const auto* record = static_cast<const FrameRecord*>(__builtin_frame_address(0));
  while (reinterpret_cast<std::uintptr_t>(record) < frame.stack) {
    if (is_same_address(record->return_address, frame.return_address)) return true;
    const FrameRecord* caller = record->caller;
    if (caller <= record || !shadow.owns(reinterpret_cast<std::uintptr_t>(caller))) return true;
    record = caller;
  }
  return false;
}

#endif

}  // namespace memo::guest
