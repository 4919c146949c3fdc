// The key that tells passes of ONNX Runtime apart: the names and shapes of the inputs, in any order. The same
// inputs give the same key, whether the program hands them to Run or binds them beforehand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/hooks/onnxruntime/api.h"

namespace memo::guest::ort {

[[nodiscard]] std::uint64_t key_of_inputs(const Functions& its, const char* const* names, const Value* values,
                                          std::size_t count);

// A binding holds the inputs of RunWithBinding. The interface does not give them back, so the library
// remembers them when the program binds them. One thread at a time works with a binding; ONNX Runtime itself
// requires that.
void remember_bound(const Functions& its, const void* binding, const char* name, Value value);
void forget_bound(const void* binding);
[[nodiscard]] std::uint64_t key_of_bound(const void* binding);

}  // namespace memo::guest::ort
