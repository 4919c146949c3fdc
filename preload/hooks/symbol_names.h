#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the qualified name a C++ symbol begins with ("at::_ops::conv2d::call" for "_ZN2at4_ops6conv2d4callERK…"),
// without parameters; the symbol itself where it is not C++ or too involved (templates, operators). Cut to `capacity`.
void readable_symbol(const char* symbol, char* out, std::size_t capacity);

}  // namespace memo::guest
