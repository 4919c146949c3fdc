#include "preload/hooks/presets.h"

#include <cstddef>
#include <cstring>

#include "preload/hooks/glob.h"
#include "preload/options/options.h"
#include "runtime/formats/hooked_functions.h"

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

// Writes the qualified name that a C++ symbol begins with ("at::_ops::conv2d::call" for
// "_ZN2at4_ops6conv2d4callERK…"), without parameters. Writes the symbol itself where it is not C++ or is too
// complex (templates, operators). Writes at most `capacity` bytes.
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

struct UserGlobs {
  GuestOptionId option;
  SymbolRole role;
  const char* list;  // separated by commas
};

UserGlobs g_user[] = {
    {GuestOptionId::kPassSymbols, SymbolRole::kPass, ""},
    {GuestOptionId::kScopeSymbols, SymbolRole::kScope, ""},
};

bool any_glob_matches(const char* list, const char* symbol, const char* readable) {
  while (*list != '\0') {
    const std::size_t length = std::strcspn(list, ",");
    if (length > 0 && (glob_matches(list, length, symbol) || glob_matches(list, length, readable)))
      return true;
    list += length;
    if (*list == ',') ++list;
  }
  return false;
}

SymbolRole role_of(HookedRole role) {
  switch (role) {
    case HookedRole::kPass:
      return SymbolRole::kPass;
    case HookedRole::kScope:
      return SymbolRole::kScope;
    case HookedRole::kLayer:
      return SymbolRole::kLayer;
    case HookedRole::kKernel:
      return SymbolRole::kKernel;
  }
  return SymbolRole::kNone;
}

SymbolRole user_role(const char* symbol) {
  char readable[512];
  readable[0] = '\0';
  for (const UserGlobs& user : g_user) {
    if (*user.list == '\0') continue;
    if (readable[0] == '\0') readable_symbol(symbol, readable, sizeof readable);
    if (any_glob_matches(user.list, symbol, readable)) return user.role;
  }
  return SymbolRole::kNone;
}

}  // namespace

void load_symbol_globs() {
  for (UserGlobs& user : g_user) user.list = option_text(user.option);
}

SymbolRole symbol_role(const char* symbol) {
  const SymbolRole asked = user_role(symbol);
  if (asked != SymbolRole::kNone) return asked;
  for (const HookedFunctions& row : kHookedFunctions) {
    if (glob_matches(row.glob, std::strlen(row.glob), symbol)) return role_of(row.role);
  }
  return SymbolRole::kNone;
}

}  // namespace memo::guest
