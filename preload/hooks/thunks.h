// A thunk takes the place of a hooked function in the slots of its callers. The thunk reports the call and
// jumps on to the function, with every register that can carry an argument unchanged, whatever the signature
// of the function.
//
//   caller --call--> thunk i: push i, jump --> memo_hook_entry: save general argument registers
//                                                memo_hook_entered(i, stack, return address)
//                                              restore, jump --> function --return--> caller
//
// This path saves no vector register, and touches none. A thread that ignores operators (runtime/slab/thread_state.h) jumps
// from the thunk straight to the function, at the cost of four instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

inline constexpr std::size_t kMostThunks = 16384;

// Reserves the addresses of all thunks and writes the first ones. Returns false where the kernel grants no memory for them,
// or none that is executable.
[[nodiscard]] bool start_thunks();

// Says where a thunk jumps to in a thread that ignores operators: to the function `past`, or 0 if it has to report all the
// same. To be called before the thunk takes the place of a function, one call at a time; thunks are written as their numbers
// grow. Returns false where the kernel grants no more.
[[nodiscard]] bool lead_thunk(std::uint32_t index, std::uintptr_t past);

// Returns the address that calls of hook number `index` are to go to.
std::uintptr_t thunk_address(std::uint32_t index);

// Returns the number of the hook whose thunk lies at this address.
std::uint32_t number_of_thunk(std::uintptr_t address);

}  // namespace memo::guest

namespace memo::guest {

// Returns one of the first two general arguments of a call that came through a thunk, from where memo_hook_entry saved them below
// the stack pointer of the caller.
inline std::uintptr_t saved_argument(const void* stack, unsigned number) {
#if defined(__x86_64__)
  return static_cast<const std::uintptr_t*>(stack)[-4 - static_cast<int>(number)];
#else
  return static_cast<const std::uintptr_t*>(stack)[static_cast<int>(number) - 10];
#endif
}

}  // namespace memo::guest

// Reports a call that came through a thunk. Returns the address of the function that the caller meant.
extern "C" [[gnu::visibility("hidden")]] std::uintptr_t memo_hook_entered(std::uint32_t index,
                                                                          const void* stack,
                                                                          const void* return_address);
