// Which symbols are passes and scopes: what the frameworks export, and what the user asks for.
#pragma once

#include <cstdint>

namespace memo::guest {

enum class SymbolRole : std::uint32_t { kNone, kPass, kScope };

// Reads the user's globs. To be called once, before symbol_role.
void load_symbol_globs();

// What a symbol is, by its name as the linker has it. Presets are globs over that name; the user's globs may also be
// written for the readable name ("at::_ops::*::call"). A pass beats a scope, the user beats the presets.
SymbolRole symbol_role(const char* symbol);

}  // namespace memo::guest
