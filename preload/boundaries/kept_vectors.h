// Calls from hook code to functions that may use vector registers. Hook code itself is compiled without these
// registers (CMakeLists.txt): they may hold the arguments of the hooked function, and memo_hook_entry does
// not save them. Hook code calls a rare function that needs them, or that may call one that does, through
// keeping_vectors().
#pragma once

#include <cstdint>
#include <type_traits>

// Saves every vector register that can carry an argument, at its full width, calls the function that is its
// first argument, and restores the registers. Passes its other arguments on, up to five, all in general
// registers.
extern "C" [[gnu::visibility("hidden")]] void memo_keep_vectors();

namespace memo::guest {

template <typename T>
inline constexpr bool kInGeneralRegister = std::is_reference_v<T> ||
                                           (std::is_scalar_v<T> && !std::is_floating_point_v<T>);

// Calls the function and keeps the vector registers of the caller. Costs some 80 ns, and up to 2.7 KiB of the
// stack with AVX-512.
template <typename Result, typename... Parameters>
Result keeping_vectors(Result (*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  static_assert(sizeof...(Parameters) <= 5 && (kInGeneralRegister<Parameters> && ...));
  using Call = Result (*)(Result(*)(Parameters...), Parameters...);
  return reinterpret_cast<Call>(&memo_keep_vectors)(function, arguments...);
}

// Finds out how many bytes the vector registers take. Call this once, before any hook.
void measure_vectors();

}  // namespace memo::guest
