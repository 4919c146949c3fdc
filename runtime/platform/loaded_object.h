// How a loaded object is known from one process to the next: by its build-id, or by its path where it has none.
#pragma once

#include <link.h>

#include <cstdint>
#include <span>

namespace memo::runtime {

// Returns the object's build-id, in its own memory; empty where it has none.
[[nodiscard]] std::span<const std::uint8_t> build_id_of(const dl_phdr_info& object);

// Returns the object's path. The loader gives the executable no name; its path is asked of the kernel, once. To be called in a
// visit of the loader's objects (runtime/platform/loader.h), where no other thread is.
[[nodiscard]] const char* path_of(const dl_phdr_info& object);

}  // namespace memo::runtime
