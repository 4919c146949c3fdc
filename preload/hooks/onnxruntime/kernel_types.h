// Finds the classes of ONNX Runtime's kernels in a loaded object. A package is stripped, but C++ keeps a record of each class
// beside its virtual functions (the Itanium C++ ABI):
//
//   0, record, functions…             a table of virtual functions; objects of the class point to its first function
//   kind, name, base                  the record of a class with one base
//   kind, name, counts, base, place…  the record of a class with several
//
// All of it lies where only the loader writes.
#pragma once

#include <cstdint>

#include "preload/platform/elf_object.h"

namespace memo::guest::ort {

// Where a kernel's function that computes stands among its virtual functions: after two destructors.
inline constexpr std::size_t kCompute = 2;

// Returns true if this is the record of a class that derives from onnxruntime::OpKernel, with nothing in front of it.
[[nodiscard]] bool is_kernel_type(const ElfObject& object, std::uintptr_t record);

// Calls visit(table) for the virtual functions of each such class, but for those that leave the computing to others.
template <typename Visitor>
void for_each_kernel_table(const ElfObject& object, Visitor visit) {
  const ElfObject::Words words = object.closed_words();
  for (std::uintptr_t* at = words.begin; words.hold(at, kCompute + 3); ++at) {
    if (at[0] == 0 && object.contains(at[kCompute + 2]) && is_kernel_type(object, at[1])) visit(at + 2);
  }
}

}  // namespace memo::guest::ort
