// A thunk takes the place of a hooked function in the slots of its callers. The thunk reports the call and
// jumps on to the function, with every register that can carry an argument unchanged, whatever the signature
// of the function.
//
//   caller --call--> thunk i: push i, jump --> memo_hook_entry: save general argument registers
//                                                memo_hook_entered(i, stack, return address)
//                                              restore, jump --> function --return--> caller
//
// This path saves no vector register, and touches none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

inline constexpr std::size_t kMostThunks = 16384;

// Maps and writes all thunks (256 KiB). Returns false where the kernel grants no memory for them, or none
// that is executable.
bool start_thunks();

// Returns the address that calls of hook number `index` are to go to.
std::uintptr_t thunk_address(std::uint32_t index);

}  // namespace memo::guest

// Reports a call that came through a thunk. Returns the address of the function that the caller meant.
extern "C" [[gnu::visibility("hidden")]] std::uintptr_t memo_hook_entered(std::uint32_t index,
                                                                          const void* stack,
                                                                          const void* return_address);
