// Tells which symbols are passes and scopes: symbols that the frameworks export, and symbols that the user
// names.
#pragma once

#include <cstdint>

namespace memo::guest {

enum class SymbolRole : std::uint32_t { kNone, kPass, kScope, kLayer, kKernel };

// Reads the user's globs. Call this once, before symbol_role.
void load_symbol_globs();

// Returns what a symbol is, by its name as the linker has it. The presets are globs over that name; the
// user's globs may also match the readable name ("at::_ops::*::call"). A pass wins over a scope, and the
// user's globs win over the presets.
SymbolRole symbol_role(const char* symbol);

}  // namespace memo::guest
