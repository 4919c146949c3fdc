// Recognises a loaded object in another process: by its build-id, or by its path if it has none.
#pragma once

#include <link.h>

#include <cstdint>
#include <span>

namespace memo::runtime {

using LoadedObject = dl_phdr_info;

// The addresses that an object lies at. Its file's own addresses count from `base`.
struct Extent {
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  std::uintptr_t base = 0;
};
[[nodiscard]] Extent extent_of(const LoadedObject& object);

// Returns the object's build-id, as a view of the object's memory; empty if it has none.
[[nodiscard]] std::span<const std::uint8_t> build_id_of(const LoadedObject& object);

// Returns the object's path. The loader has no name for the executable, whose path is asked of the kernel,
// once. To be called in a visit of the loader's objects (runtime/platform/loader.h), which one thread at a time
// makes.
[[nodiscard]] const char* path_of(const LoadedObject& object);

}  // namespace memo::runtime
