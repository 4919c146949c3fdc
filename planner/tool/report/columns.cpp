#include "planner/tool/report/columns.h"

namespace memo::planner {
namespace {

// Maps small numbers of either sign to small unsigned numbers: 0 -1 1 -2 … become 0 1 2 3 ….
std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

void append_groups(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  bytes += static_cast<char>(value);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = (group << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i > bytes.size() ? '=' : kLetters[(group >> (18 - 6 * i)) & 0x3f];
  }
  return text;
}

}  // namespace

std::string packed_column(std::span<const std::int64_t> values) {
  std::string bytes;
  std::uint64_t before = 0;
  for (const std::int64_t value : values) {
    const auto now = static_cast<std::uint64_t>(value);
    append_groups(bytes, zigzag(static_cast<std::int64_t>(now - before)));
    before = now;
  }
  return base64(bytes);
}

}  // namespace memo::planner
