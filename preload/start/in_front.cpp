#include "preload/start/in_front.h"

#include <cstddef>
#include <cstring>

#include "preload/platform/platform.h"

namespace memo::guest {

const char* allocator_in_front() {
  const char* path = platform::first_object_that_defines("malloc");
  const bool is_the_programs = path == nullptr || *path == '\0';
  if (is_the_programs || std::strcmp(path, platform::own_path()) == 0) return nullptr;
  const auto its_malloc = reinterpret_cast<void* (*)(std::size_t)>(platform::first_symbol("malloc"));
  const auto its_free = reinterpret_cast<void (*)(void*)>(platform::first_symbol("free"));
  its_free(its_malloc(1));
  return path;
}

}  // namespace memo::guest
