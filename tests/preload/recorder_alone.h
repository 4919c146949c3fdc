// The recorder in the test's own process, called as the exported functions would call it and not in front of anybody's
// malloc: blocks come from the C library, or from the sanitizer that watches.
#pragma once

#include <cstddef>
#include <string>

// Declares them strong: the linker would leave weak functions out.
#define MEMO_API
#include "memomalloc/memomalloc.h"

namespace memo::testing {

// Once for each process, before any thread.
void start_recorder(const std::string& trace);
void finish_recorder();

[[nodiscard]] void* recorded_malloc(std::size_t size);
[[nodiscard]] void* recorded_realloc(void* old, std::size_t size);
void recorded_free(void* block);

}  // namespace memo::testing
