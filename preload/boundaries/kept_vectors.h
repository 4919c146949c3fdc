// Leaves the code that hooks run without vector registers (CMakeLists.txt): a hooked function's arguments may lie in them,
// and memo_hook_entry does not save them. What is rare and needs them, or calls what may, is called through here.
#pragma once

#include <cstdint>
#include <type_traits>

// Saves every vector register that can carry an argument, at the width it has, calls the function with the rest of its own
// arguments, and restores. Leaves them where they are: up to five, in general registers.
extern "C" [[gnu::visibility("hidden")]] void memo_keep_vectors();

namespace memo::guest {

template <typename T>
inline constexpr bool kInGeneralRegister = std::is_reference_v<T> ||
                                           (std::is_scalar_v<T> && !std::is_floating_point_v<T>);

// Costs some 80 ns, and up to 2.7 KiB of the stack with AVX-512.
template <typename Result, typename... Parameters>
Result keeping_vectors(Result (*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  static_assert(sizeof...(Parameters) <= 5 && (kInGeneralRegister<Parameters> && ...));
  using Call = Result (*)(Result(*)(Parameters...), Parameters...);
  return reinterpret_cast<Call>(&memo_keep_vectors)(function, arguments...);
}

// To be called once, before any hook: finds out how much there is to save.
void measure_vectors();

}  // namespace memo::guest
