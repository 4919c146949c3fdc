#include "preload/hooks/symbol_names.h"

#include <cstring>

namespace memo::guest {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads an identifier of the form <length><that many characters>: returns its first character and stores its
// length. Returns null where `at` does not begin so.
const char* read_identifier(const char* at, std::size_t& length) {
  length = 0;
  if (!is_digit(*at) || *at == '0') return nullptr;
  for (; is_digit(*at) && length < 10000; ++at) length = length * 10 + static_cast<std::size_t>(*at - '0');
  return strnlen(at, length) == length ? at : nullptr;
}

// Appends one part of a name. Returns false where it does not fit.
bool append_part(char* out, std::size_t capacity, std::size_t& used, const char* part, std::size_t length) {
  const std::size_t separator = used == 0 ? 0 : 2;
  if (used + separator + length + 1 > capacity) return false;
  std::memcpy(out + used, "::", separator);
  std::memcpy(out + used + separator, part, length);
  used += separator + length;
  out[used] = '\0';
  return true;
}

bool read_nested_name(const char* at, char* out, std::size_t capacity) {
  std::size_t used = 0;
  std::size_t length = 0;
  while (*at == 'K' || *at == 'V' || *at == 'r') ++at;
  while (const char* part = read_identifier(at, length)) {
    if (!append_part(out, capacity, used, part, length)) return false;
    at = part + length;
  }
  return used > 0 && *at == 'E';
}

void copy_text(const char* text, char* out, std::size_t capacity) {
  const std::size_t length = strnlen(text, capacity - 1);
  std::memcpy(out, text, length);
  out[length] = '\0';
}

}  // namespace

void readable_symbol(const char* symbol, char* out, std::size_t capacity) {
  if (std::strncmp(symbol, "_ZN", 3) == 0 && read_nested_name(symbol + 3, out, capacity)) return;
  std::size_t length = 0;
  const char* name = std::strncmp(symbol, "_Z", 2) == 0 ? read_identifier(symbol + 2, length) : nullptr;
  if (name != nullptr && length < capacity) {
    std::memcpy(out, name, length);
    out[length] = '\0';
    return;
  }
  copy_text(symbol, out, capacity);
}

}  // namespace memo::guest
