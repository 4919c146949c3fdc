#include "preload/modes/profile/python_text.h"

namespace memo::guest {
namespace {

constexpr std::size_t kHead = 40;  // bytes before the characters that all versions have

std::uint32_t character_at(const char* units, std::size_t at, std::uint8_t width) {
  std::uint32_t character = 0;
  std::memcpy(&character, units + at * width, width);
  return character;
}

}  // namespace

bool read_python_string(const PythonInterpreter& interpreter, const PythonMemory& memory, const char* object,
                        PythonString& string) {
  char head[kHead];
  if (!memory.copy(object, head, sizeof head)) return false;
  if (PythonMemory::field<const void*>(head, kObjectType) != interpreter.string_type) return false;
  const auto state = PythonMemory::field<std::uint32_t>(head, kStringState);
  const bool is_compact = (state >> 5 & 1) != 0;
  string.is_ascii = (state >> 6 & 1) != 0;
  string.width = state >> 2 & 7;
  string.length = PythonMemory::field<std::uint64_t>(head, kStringLength);
  string.hash = PythonMemory::field<std::uint64_t>(head, kStringHash);
  string.text = string.is_ascii ? interpreter.layout->ascii_text : interpreter.layout->other_text;
  return is_compact && (string.width == 1 || string.width == 2 || string.width == 4);
}

void PythonText::append(const char* text) {
  for (; *text != '\0' && length_ < kCapacity; ++text) put(static_cast<unsigned char>(*text));
}

void PythonText::append_string(const PythonInterpreter& interpreter, const PythonMemory& memory,
                               const char* object) {
  PythonString string;
  if (!read_python_string(interpreter, memory, object, string)) return append("?");
  char units[kMostUnits * sizeof(std::uint32_t)];
  const std::size_t count = string.length < kMostUnits ? string.length : kMostUnits;
  if (!memory.copy(object + string.text, units, count * string.width)) return append("?");
  for (std::size_t i = 0; i < count; ++i) append_character(character_at(units, i, string.width));
}

// As UTF-8. A half of a surrogate pair stands for a byte that is no text, in the name of a file.
void PythonText::append_character(std::uint32_t character) {
  constexpr std::size_t kLongest = 4;
  if (length_ + kLongest > kCapacity) return;
  if (character >= 0xD800 && character < 0xE000) character = '?';
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      put(0xE0 | character >> 12);
    } else {
      put(0xF0 | (character >> 18 & 7));
      put(0x80 | (character >> 12 & 0x3F));
    }
    put(0x80 | (character >> 6 & 0x3F));
  }
  put(0x80 | (character & 0x3F));
}

}  // namespace memo::guest
