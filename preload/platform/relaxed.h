// Reads, writes and counts of plain data that several threads share: each is atomic, and none orders anything
// else.
#pragma once

#include <type_traits>

namespace memo::guest {

template <typename T>
T read_relaxed(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

template <typename T>
void write_relaxed(T& value, std::type_identity_t<T> fresh) {
  __atomic_store_n(&value, fresh, __ATOMIC_RELAXED);
}

// Returns the value after the step.
template <typename T>
T count_up(T& value, std::type_identity_t<T> step = 1) {
  return __atomic_add_fetch(&value, step, __ATOMIC_RELAXED);
}

}  // namespace memo::guest
