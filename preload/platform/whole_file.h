// Small files that are written at once, so that readers see them whole. Each returns 0, or the error number.
#pragma once

#include <cstddef>

#include "runtime/platform/own_file.h"

namespace memo::guest::platform {

// Writes the bytes and closes the file. That there was no room for all of them is an error.
[[nodiscard]] int write_and_close(runtime::OwnFile& file, const void* bytes, std::size_t length);

// Writes a file beside `path`, then renames it to `path`: readers see either what was there or what is new. The umask decides who may
// read it. Takes 4 KiB of stack.
[[nodiscard]] int replace_file(const char* path, const void* bytes, std::size_t length);

}  // namespace memo::guest::platform
