#include "preload/hooks/hooks.h"

#include <link.h>

#include <cstring>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/names.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/hooks/onnxruntime/wrap.h"
#include "preload/hooks/presets.h"
#include "preload/hooks/thunks.h"
#include "preload/log/log.h"
#include "preload/options/options.h"
#include "preload/platform/elf_object.h"
#include "runtime/platform/loader.h"

namespace memo::guest {
namespace {

// One hooked function. Written before the first slot points at its thunk, and changed only when nobody can call it any more.
struct Hook {
  std::uintptr_t function;
  const BoundaryName* name;
  FrameKind kind;
  bool binds;  // it is the loader's code that binds the slot: by a call, which takes the thunk out of it
};

// Everything here is written with the loader's lock held, by the one thread that walks.

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
runtime::LoaderChanges g_walked;  // what the last walk has seen
bool g_some_unfinished;           // objects that it is to look at again

std::size_t g_objects_at_start;
bool g_active;
bool g_wrapping;

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

// What the loader would find: the first function of that name among the objects that the program was started with, which it
// asks in this order whoever calls; else the only one there is. 0 where there are several: which of them is meant, only the
// loader knows.
std::uintptr_t find_function(const char* name) {
  std::uintptr_t found = 0;
  std::size_t number = 0;
  bool several = false;
  runtime::for_each_loaded_object([&](const dl_phdr_info& info) {
    const bool is_first_choice = number++ < g_objects_at_start;
    const ElfObject object(info);
    const std::uintptr_t here = object.usable() ? object.find_function(name) : 0;
    several = here != 0 && found != 0 && here != found;
    if (here != 0) found = here;
    return several || (is_first_choice && found != 0);
  });
  return several ? 0 : found;
}

// Where a call through the slot is meant to go.
struct Target {
  std::uintptr_t function;
  bool binds;
};

// On other processors that code finds its slot in a register which the thunk has no right to.
constexpr bool can_call_binding_code() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

// A slot that was not called yet leads back into its own object, to the code that binds it.
bool is_unbound(const ElfObject& object, std::uintptr_t value, const ElfW(Sym) & symbol) {
  return object.contains(value) && !(object.defines(symbol) && value == object.address_of(symbol));
}

Target target_of(const ElfObject& object, std::uintptr_t value, const ElfW(Sym) & symbol) {
  if (!is_unbound(object, value, symbol)) return {value, false};
  const std::uintptr_t found = find_function(object.name_of(symbol));
  if (found != 0) return {found, false};
  return {can_call_binding_code() ? value : 0, true};
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
std::uint32_t hook_for(const Target& target, const char* symbol, SymbolRole role) {
  const BoundaryName* name = intern_name(symbol);
  if (name == nullptr) return kMostThunks;
  const std::uint32_t known = find_hook(target.function, name);
  if (known < g_hook_count) return known;
  const std::uint32_t at = find_vacant_hook(name);
  if (at == kMostThunks) return at;
  const FrameKind kind = role == SymbolRole::kPass ? FrameKind::kPass : FrameKind::kScope;
  g_hooks[at] = {target.function, name, kind, target.binds};
  if (at == g_hook_count) __atomic_store_n(&g_hook_count, at + 1, __ATOMIC_RELEASE);
  return at;
}

bool is_thunk(std::uintptr_t address) {
  return address - thunk_address(0) < thunk_address(kMostThunks) - thunk_address(0);
}

enum class SlotState { kSettled, kMayChange };

// A slot that is not bound yet may be in the hands of a thread that is calling through it: the loader's code would store the
// function over the thunk.
SlotState hook_slot(const ElfObject& object, std::uintptr_t* slot, const ElfW(Sym) & symbol) {
  const char* name = object.name_of(symbol);
  const SymbolRole role = symbol_role(name);
  const std::uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (role == SymbolRole::kNone || is_thunk(value)) return SlotState::kSettled;
  if (!object.is_filled_in(value)) return SlotState::kMayChange;
  const Target target = target_of(object, value, symbol);
  const std::uint32_t hook = target.function == 0 ? kMostThunks : hook_for(target, name, role);
  if (hook < kMostThunks) object.replace(slot, thunk_address(hook));
  return is_unbound(object, value, symbol) ? SlotState::kMayChange : SlotState::kSettled;
}

bool hook_slots_of(const ElfObject& object) {
  bool settled = true;
  object.for_each_slot([&](std::uintptr_t* slot, const ElfW(Sym) & symbol) {
    settled &= hook_slot(object, slot, symbol) == SlotState::kSettled;
  });
  return settled;
}

// An object that the loader is still at is left alone: it is hooked by whoever looks next, at the latest by the thread that
// loads it.
void hook_object(const ElfObject& object) {
  if (!object.usable() || object.contains(reinterpret_cast<std::uintptr_t>(&kOwnByte))) return;
  if (was_seen(object)) return;
  const bool relocated = object.is_relocated();
  if (relocated) note_onnxruntime(object);
  if (relocated && hook_slots_of(object)) return remember(object);
  g_some_unfinished = true;
}

// An object that was unloaded may have left its address to another one: then everything is walked again. True: there is
// something to walk for.
bool take_note_of_changes(const runtime::LoaderChanges& now) {
  if (now == g_walked && !g_some_unfinished) return false;
  if (now.unloads != g_walked.unloads) g_seen_count = 0;
  g_walked = now;
  g_some_unfinished = false;
  return true;
}

// The loader's lock keeps the objects where they are, and other threads from walking: who waits for it finds everything done
// that was loaded before.
void walk() {
  bool first = true;
  runtime::for_each_loaded_object([&first](const dl_phdr_info& info) {
    if (first && !take_note_of_changes(runtime::changes_until(info))) return true;
    first = false;
    hook_object(ElfObject(info));
    return false;
  });
}

std::size_t count_objects() {
  std::size_t count = 0;
  runtime::for_each_loaded_object([&count](const dl_phdr_info&) {
    ++count;
    return false;
  });
  return count;
}

// One thread at a time wraps, without the loader's lock, since it calls what it wraps. What is noted meanwhile it finds when
// it looks once more.
void wrap_onnxruntimes() {
  while (onnxruntimes_are_noted() && !__atomic_exchange_n(&g_wrapping, true, __ATOMIC_ACQUIRE)) {
    wrap_noted_onnxruntimes();
    __atomic_store_n(&g_wrapping, false, __ATOMIC_RELEASE);
  }
}

}  // namespace

void hook_new_objects() {
  if (!g_active) return;
  const std::uint32_t before = __atomic_load_n(&g_hook_count, __ATOMIC_RELAXED);
  walk();
  wrap_onnxruntimes();
  const std::uint32_t hooked = __atomic_load_n(&g_hook_count, __ATOMIC_RELAXED) - before;
  if (hooked != 0) log_note("hooked ", static_cast<unsigned long>(hooked), " functions");
}

void start_hooks() {
  if (g_active || !passes_may_come_by("hooks")) return;
  if (!start_thunks()) {
    log_trouble("no executable memory for symbol hooks: passes are seen only where the program marks them");
    return;
  }
  load_symbol_globs();
  g_objects_at_start = count_objects();
  g_active = true;
  call_after_loading(hook_new_objects);
}

}  // namespace memo::guest

std::uintptr_t memo_hook_entered(std::uint32_t index, const void* stack, const void* return_address) {
  using namespace memo::guest;
  const Hook& hook = g_hooks[index];
  const CallSite site{return_address, stack};
  if (__builtin_expect(hook.binds, 0)) enter_frame(FrameKind::kLoading, nullptr, site);
  enter_frame(hook.kind, hook.name, site);
  return hook.function;
}
