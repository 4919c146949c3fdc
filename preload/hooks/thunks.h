// A thunk stands where a hooked function is called: it reports the call and jumps on to the function, with every
// register that can carry an argument as it was, whatever the function's signature.
//
//   caller --call--> thunk i: push i, jump --> memo_hook_entry: save general argument registers
//                                                memo_hook_entered(i, stack, return address)
//                                              restore, jump --> function --return--> caller
//
// Saves no vector register, and touches none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

inline constexpr std::size_t kMostThunks = 16384;

// Maps the thunks, all of them; untouched pages cost nothing. False where the kernel grants no executable memory.
bool start_thunks();

// Where calls of hook number `index` are to go.
std::uintptr_t thunk_address(std::uint32_t index);

}  // namespace memo::guest

// What the thunks call. Returns the address of the function that was meant.
extern "C" [[gnu::visibility("hidden")]] std::uintptr_t memo_hook_entered(std::uint32_t index,
                                                                          const void* stack,
                                                                          const void* return_address);
