#include "preload/log/json_text.h"

#include <cstring>

namespace memo::guest {
namespace {

constexpr std::size_t kLongestEscape = sizeof "\\u001f" - 1;

struct Character {
  const char* bytes;
  std::size_t size;
};

std::size_t size_said_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// Returns true if the second byte makes the character longer than it need be, a surrogate, or beyond Unicode.
bool is_out_of_range(unsigned char first, unsigned char second) {
  return (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
}

// Returns the bytes of the character that begins here, or 0 if it is no UTF-8.
std::size_t size_of_character(const char* text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  const std::size_t size = size_said_by(bytes[0]);
  for (std::size_t i = 1; i < size; ++i) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  }
  return size > 1 && is_out_of_range(bytes[0], bytes[1]) ? 0 : size;
}

// Writes the escape of a byte below 0x20 to `escape`.
Character control_escape(char byte, char* escape) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr char kBegin[] = {'\\', 'u', '0', '0'};
  std::memcpy(escape, kBegin, sizeof kBegin);
  escape[4] = kDigits[static_cast<unsigned char>(byte) >> 4];
  escape[5] = kDigits[static_cast<unsigned char>(byte) & 0xf];
  return {escape, kLongestEscape};
}

// Returns what stands for the character at `text`, of `size` bytes. `escape` has room for the longest escape.
Character written(const char* text, std::size_t size, char* escape) {
  if (size == 0) return {"?", 1};
  if (*text == '"') return {"\\\"", 2};
  if (*text == '\\') return {"\\\\", 2};
  if (static_cast<unsigned char>(*text) < 0x20) return control_escape(*text, escape);
  return {text, size};
}

}  // namespace

std::size_t write_json_text(char* out, std::size_t room, const char* text) {
  std::size_t length = 0;
  while (*text != '\0') {
    char escape[kLongestEscape];
    const std::size_t size = size_of_character(text);
    const Character character = written(text, size, escape);
    if (character.size > room - length) break;
    std::memcpy(out + length, character.bytes, character.size);
    length += character.size;
    text += size == 0 ? 1 : size;
  }
  return length;
}

}  // namespace memo::guest
