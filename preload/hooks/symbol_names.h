#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the qualified name that a C++ symbol begins with ("at::_ops::conv2d::call" for
// "_ZN2at4_ops6conv2d4callERK…"), without parameters. Writes the symbol itself where it is not C++ or is too
// complex (templates, operators). Writes at most `capacity` bytes.
void readable_symbol(const char* symbol, char* out, std::size_t capacity);

}  // namespace memo::guest
