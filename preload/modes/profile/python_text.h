// A line of text made of Python's strings, in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/modes/profile/python_memory.h"

namespace memo::guest {

// What Python knows of a string besides its characters.
struct PythonString {
  std::uint64_t length;  // in characters
  std::uint64_t hash;    // UINT64_MAX where Python has not needed it yet
  std::uint16_t text;    // offset of the characters
  std::uint8_t width;    // bytes of a character: 1, 2 or 4
  bool is_ascii;
};

// Returns false where the object is no string, or one that has its characters elsewhere.
bool read_python_string(const PythonInterpreter& interpreter, const PythonMemory& memory, const char* object,
                        PythonString& string);

// Text that does not fit is cut off.
class PythonText {
 public:
  static constexpr std::size_t kCapacity = 1024;

  void append(const char* text);
  // Appends "?" where the object is no string.
  void append_string(const PythonInterpreter& interpreter, const PythonMemory& memory, const char* object);
  [[nodiscard]] std::size_t length() const { return length_; }

 private:
  void append_character(std::uint32_t character);
  void put(std::uint32_t byte) { bytes_[length_++] = static_cast<char>(byte); }

  static constexpr std::size_t kMostUnits = 400;  // of one string

  char bytes_[kCapacity];
  std::size_t length_ = 0;
};

}  // namespace memo::guest
