// The part of ONNX Runtime's C interface that the wrappers need. ONNX Runtime exports one function,
// OrtGetApiBase, which leads to a table of all other functions. The table only ever grows at its end, so an
// entry keeps its number for good. Below, the first figure is the number of an entry, the second the first
// version that has it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest::ort {

using Entry = std::uintptr_t;

struct ApiBase {
  Entry* (*table)(std::uint32_t version);
  const char* (*version_string)();
};
using GetApiBase = const ApiBase*();

struct TableEntry {
  std::uint32_t number;
  std::uint32_t since;
};

inline constexpr TableEntry kRun{9, 1};
inline constexpr TableEntry kGetDimensionsCount{61, 1};
inline constexpr TableEntry kGetDimensions{62, 1};
inline constexpr TableEntry kGetTensorTypeAndShape{65, 1};
inline constexpr TableEntry kReleaseStatus{93, 1};
inline constexpr TableEntry kReleaseTensorTypeAndShapeInfo{99, 1};
inline constexpr TableEntry kRunWithBinding{133, 5};
inline constexpr TableEntry kReleaseIoBinding{135, 5};
inline constexpr TableEntry kBindInput{136, 5};
inline constexpr TableEntry kClearBoundInputs{141, 5};
inline constexpr TableEntry kGetShapeReference{414, 24};  // GetTensorElementTypeAndShapeDataReference

// Types that are opaque to a caller are void here. A function that can fail returns a status, which is null
// for success.
using Status = void*;
using Value = const void*;

using Run = Status(void* session, const void* options, const char* const* input_names, const Value* inputs,
                   std::size_t input_count, const char* const* output_names, std::size_t output_count,
                   void** outputs);
using RunWithBinding = Status(void* session, const void* options, const void* binding);
using BindInput = Status(void* binding, const char* name, Value value);
using ClearBoundInputs = void(void* binding);
using ReleaseIoBinding = void(void* binding);
using GetShapeReference = Status(Value value, int* type, const std::int64_t** dimensions, std::size_t* count);
using GetTensorTypeAndShape = Status(Value value, void** info);
using GetDimensionsCount = Status(const void* info, std::size_t* count);
using GetDimensions = Status(const void* info, std::int64_t* dimensions, std::size_t count);
using ReleaseTensorTypeAndShapeInfo = void(void* info);
using ReleaseStatus = void(Status status);

// The functions of one loaded runtime; null where the runtime is too old to have the function.
struct Functions {
  Run* run;
  RunWithBinding* run_with_binding;
  BindInput* bind_input;
  ClearBoundInputs* clear_bound_inputs;
  ReleaseIoBinding* release_io_binding;
  GetShapeReference* get_shape_reference;
  GetTensorTypeAndShape* get_tensor_type_and_shape;
  GetDimensionsCount* get_dimensions_count;
  GetDimensions* get_dimensions;
  ReleaseTensorTypeAndShapeInfo* release_info;
  ReleaseStatus* release_status;
};

}  // namespace memo::guest::ort
