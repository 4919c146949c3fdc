#include "preload/hooks/presets.h"

#include <cstring>

#include "preload/hooks/glob.h"
#include "preload/hooks/symbol_names.h"
#include "preload/options/options.h"
#include "runtime/formats/hooked_functions.h"

namespace memo::guest {
namespace {

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
