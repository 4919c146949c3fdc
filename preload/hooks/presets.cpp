#include "preload/hooks/presets.h"

#include <cstring>

#include "preload/hooks/glob.h"
#include "preload/hooks/symbol_names.h"
#include "preload/options/options.h"

namespace memo::guest {
namespace {

// Symbol names embed types that change between releases, so each glob names only the parts that do not
// change. Several passes of one framework may nest; the outermost counts.
struct Preset {
  SymbolRole role;
  const char* glob;
};

constexpr Preset kPresets[] = {
    // The example server of this project.
    {SymbolRole::kPass, "mini_forward"},
    {SymbolRole::kScope, "mini_op_*"},
    // libtorch: TorchScript from C++ and Python, AOT-compiled models, and every operator of the dispatcher.
    {SymbolRole::kPass, "_ZN5torch3jit16InterpreterState3run*"},
    {SymbolRole::kPass, "_ZN5torch3jit13GraphExecutor3run*"},
    {SymbolRole::kPass, "_ZN5torch3jit13GraphFunction3run*"},
    {SymbolRole::kPass, "_ZN5torch3jit13GraphFunctionclE*"},
    {SymbolRole::kPass, "_ZNK5torch3jit6MethodclE*"},
    {SymbolRole::kPass, "_ZN5torch9inductor*AOTIModelContainerRunner3run*"},
    {SymbolRole::kScope, "_ZN2at4_ops*4callE*"},
    // OpenCV's dnn module: passes of a network, layers inside them.
    {SymbolRole::kPass, "_ZN2cv3dnn*3Net7forwardE*"},
    {SymbolRole::kPass, "_ZN2cv3dnn*3Net4Impl7forwardE*"},
    {SymbolRole::kScope, "_ZN2cv3dnn*3Net4Impl12forwardLayer*"},
    // CTranslate2: what a worker thread of a pool does for one batch, whichever language asked for it.
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica9translateE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica8generateE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica5scoreE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica7forwardE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica6encodeE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica5alignE*"},
    {SymbolRole::kPass, "_ZN11ctranslate26models*Replica15detect_language*"},
    // ggml and llama.cpp: one evaluated graph, one decoded batch.
    {SymbolRole::kPass, "llama_decode"},
    {SymbolRole::kPass, "llama_encode"},
    {SymbolRole::kPass, "ggml_backend_sched_graph_compute*"},
    {SymbolRole::kPass, "ggml_backend_graph_compute*"},
    {SymbolRole::kPass, "ggml_graph_compute*"},
};

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
  for (const Preset& preset : kPresets) {
    if (glob_matches(preset.glob, std::strlen(preset.glob), symbol)) return preset.role;
  }
  return SymbolRole::kNone;
}

}  // namespace memo::guest
