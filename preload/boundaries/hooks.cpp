#include "preload/boundaries/hooks.h"

#include <link.h>

#include <cstring>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/elf_object.h"
#include "preload/boundaries/names.h"
#include "preload/boundaries/onnxruntime/wrap.h"
#include "preload/boundaries/presets.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/boundaries/thunks.h"
#include "preload/log/log.h"
#include "preload/options/options.h"

namespace memo::guest {
namespace {

// One hooked function. Written before the first slot points at its thunk, and changed only when nobody can call it any more.
struct Hook {
  std::uintptr_t function;
  const BoundaryName* name;
  FrameKind kind;
};

Hook g_hooks[kMostThunks];
std::uint32_t g_hook_count;

// What was looked at, so that an object is walked once although every dlopen asks.
struct SeenObject {
  std::uintptr_t base;
  const void* dynamic;
};
constexpr std::size_t kMostObjects = 4096;
SeenObject g_seen[kMostObjects];
std::size_t g_seen_count;
unsigned long long g_loads;
unsigned long long g_unloads;

bool g_active;
bool g_walking;

const char kOwnByte = 0;

bool was_seen(const ElfObject& object) {
  for (std::size_t i = 0; i < g_seen_count; ++i) {
    if (g_seen[i].base == object.base() && g_seen[i].dynamic == object.dynamic()) return true;
  }
  return false;
}

void remember(const ElfObject& object) {
  if (g_seen_count < kMostObjects) g_seen[g_seen_count++] = {object.base(), object.dynamic()};
}

struct FunctionSearch {
  const char* name;
  std::uintptr_t found;
};

int find_in_object(dl_phdr_info* info, std::size_t, void* data) {
  auto* search = static_cast<FunctionSearch*>(data);
  const ElfObject object(*info);
  if (object.usable()) search->found = object.find_function(search->name);
  return search->found != 0;
}

// Where a call through the slot is meant to go. A slot that was not called yet leads back into its own object, to the
// code that binds it: there the function has to be found as the loader would.
std::uintptr_t function_behind(const ElfObject& object, const std::uintptr_t* slot,
                               const ElfW(Sym) & symbol) {
  const std::uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (!object.contains(value)) return value;
  if (object.defines(symbol)) return object.address_of(symbol);
  FunctionSearch search{object.name_of(symbol), 0};
  dl_iterate_phdr(find_in_object, &search);
  return search.found;
}

// A hook of that name whose function was unloaded: a library that was loaded again elsewhere takes over its old hooks, or
// it would use them up.
std::uint32_t find_vacant_hook(const BoundaryName* name) {
  std::uint32_t at = 0;
  while (at < g_hook_count && (g_hooks[at].name != name || in_loaded_object(g_hooks[at].function))) ++at;
  return at;
}

std::uint32_t find_hook(std::uintptr_t function, const BoundaryName* name) {
  std::uint32_t at = 0;
  while (at < g_hook_count && (g_hooks[at].function != function || g_hooks[at].name != name)) ++at;
  return at;
}

// The number of the function's hook, made if need be; kMostThunks when there is no room.
std::uint32_t hook_for(std::uintptr_t function, const char* symbol, SymbolRole role) {
  const BoundaryName* name = intern_name(symbol);
  if (name == nullptr) return kMostThunks;
  const std::uint32_t known = find_hook(function, name);
  if (known < g_hook_count) return known;
  const std::uint32_t at = find_vacant_hook(name);
  if (at == kMostThunks) return at;
  g_hooks[at] = {function, name, role == SymbolRole::kPass ? FrameKind::kPass : FrameKind::kScope};
  if (at == g_hook_count) __atomic_store_n(&g_hook_count, at + 1, __ATOMIC_RELEASE);
  return at;
}

bool is_thunk(std::uintptr_t address) {
  return address - thunk_address(0) < thunk_address(kMostThunks) - thunk_address(0);
}

void hook_slot(const ElfObject& object, std::uintptr_t* slot, const ElfW(Sym) & symbol) {
  const char* name = object.name_of(symbol);
  const SymbolRole role = symbol_role(name);
  if (role == SymbolRole::kNone || *slot == 0 || is_thunk(*slot)) return;
  const std::uintptr_t function = function_behind(object, slot, symbol);
  if (function == 0) return;
  const std::uint32_t hook = hook_for(function, name, role);
  if (hook < kMostThunks) object.replace(slot, thunk_address(hook));
}

int hook_object(dl_phdr_info* info, std::size_t, void*) {
  const ElfObject object(*info);
  if (!object.usable() || object.contains(reinterpret_cast<std::uintptr_t>(&kOwnByte))) return 0;
  if (was_seen(object)) return 0;
  remember(object);
  object.for_each_slot(
      [&object](std::uintptr_t* slot, const ElfW(Sym) & symbol) { hook_slot(object, slot, symbol); });
  note_onnxruntime(object);
  return 0;
}

// An object that was unloaded may have left its address to another one: then everything is walked again.
int note_changes(dl_phdr_info* info, std::size_t, void* data) {
  auto* changed = static_cast<bool*>(data);
  *changed = g_loads != info->dlpi_adds || g_unloads != info->dlpi_subs;
  if (g_unloads != info->dlpi_subs) g_seen_count = 0;
  g_loads = info->dlpi_adds;
  g_unloads = info->dlpi_subs;
  return 1;
}

bool claim_walk() {
  return !__atomic_exchange_n(&g_walking, true, __ATOMIC_ACQUIRE);
}
void end_walk() {
  __atomic_store_n(&g_walking, false, __ATOMIC_RELEASE);
}

}  // namespace

void hook_new_objects() {
  if (!g_active || !claim_walk()) return;
  bool changed = false;
  dl_iterate_phdr(note_changes, &changed);
  const std::uint32_t before = g_hook_count;
  if (changed) dl_iterate_phdr(hook_object, nullptr);
  wrap_noted_onnxruntimes();
  if (g_hook_count != before)
    log_note("hooked ", static_cast<unsigned long>(g_hook_count - before), " functions");
  end_walk();
}

void start_hooks() {
  if (g_active || !passes_may_come_by("hooks")) return;
  if (!start_thunks()) {
    log_trouble("no executable memory for symbol hooks: passes are seen only where the program marks them");
    return;
  }
  load_symbol_globs();
  g_active = true;
}

}  // namespace memo::guest

std::uintptr_t memo_hook_entered(std::uint32_t index, const void* stack, const void* return_address) {
  const memo::guest::Hook& hook = memo::guest::g_hooks[index];
  memo::guest::enter_frame(hook.kind, hook.name, {return_address, stack});
  return hook.function;
}
