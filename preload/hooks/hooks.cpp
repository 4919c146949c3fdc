#include "preload/hooks/hooks.h"

#include <cstring>

#include "preload/boundaries/hooked_frames.h"
#include "preload/boundaries/kept_vectors.h"
#include "preload/boundaries/names.h"
#include "preload/boundaries/sink.h"
#include "preload/hooks/layer_names.h"
#include "preload/hooks/onnxruntime/kernels.h"
#include "preload/hooks/onnxruntime/wrap.h"
#include "preload/hooks/presets.h"
#include "preload/hooks/thunks.h"
#include "preload/log/log.h"
#include "preload/options/options.h"
#include "preload/platform/elf_object.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/try_flag.h"

namespace memo::guest {
namespace {

// A hooked function. It is written before the first slot points at its thunk, and changed only when no thread
// can call the function any more.
struct Hook {
  std::uintptr_t function;
  const BoundaryName* name;
  FrameKind kind;
  bool names_layer;  // its second argument is a layer of OpenCV
  // Tells whether `function` is the loader's code that binds the slot; a call of it takes the thunk out of
  // the slot.
  bool binds;
};

// The one thread that walks the loaded objects writes the variables from here to g_some_unfinished, with the
// loader's lock held.

Hook g_hooks[kMostThunks];
std::uint32_t g_hook_count;

// An object that was hooked. Every dlopen starts a walk, but an object is hooked once.
struct SeenObject {
  std::uintptr_t base;
  const void* dynamic;
};
constexpr std::size_t kMostObjects = 4096;
SeenObject g_seen[kMostObjects];
std::size_t g_seen_count;
runtime::LoaderChanges g_walked;  // what the last walk saw
bool g_some_unfinished;           // the next walk must look at some objects again

bool g_operators_unhooked;  // no slot holds the thunk of an operator

bool g_unhook_operators;  // what the next walk brings about; any thread writes it
std::size_t g_objects_at_start;
bool g_active;
constinit runtime::TryFlag g_wrapping;
bool g_records;       // for `memomalloc profile`, which wants more names than a plan
bool g_records_flow;  // for `memomalloc profile --data-flow`

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

// Returns the function that the loader would find: the first one of that name among the objects that the
// program was started with, which the loader asks in this order for every caller; else the only one that is
// loaded. Returns 0 where several are loaded, since only the loader knows which one is meant.
std::uintptr_t find_function(const char* name) {
  std::uintptr_t found = 0;
  std::size_t number = 0;
  bool several = false;
  runtime::for_each_loaded_object([&](const runtime::LoadedObject& info) {
    const bool is_first_choice = number++ < g_objects_at_start;
    const ElfObject object(info);
    const std::uintptr_t here = object.usable() ? object.find_function(name) : 0;
    several = here != 0 && found != 0 && here != found;
    if (here != 0) found = here;
    return several || (is_first_choice && found != 0);
  });
  return several ? 0 : found;
}

// The function that a call through a slot is meant to reach.
struct Target {
  std::uintptr_t function;
  bool binds;
};

// Returns true if a thunk may jump to the loader's code that binds a slot. On other processors that code
// finds its slot in a register that the thunk overwrites.
constexpr bool can_call_binding_code() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

// Returns true if the slot is not bound yet. Until its first call a slot leads back into its own object, to
// the code that binds it.
bool is_unbound(const ElfObject& object, std::uintptr_t value, const ElfObject::Symbol& symbol) {
  return object.contains(value) && !(object.defines(symbol) && value == object.address_of(symbol));
}

Target target_of(const ElfObject& object, std::uintptr_t value, const ElfObject::Symbol& symbol) {
  if (!is_unbound(object, value, symbol)) return {value, false};
  const std::uintptr_t found = find_function(object.name_of(symbol));
  if (found != 0) return {found, false};
  return {can_call_binding_code() ? value : 0, true};
}

// Returns the number of a hook of that name, if its function was unloaded, else the next unused number. A
// library that was loaded again at another address takes over its old hooks this way; otherwise it would use
// up new ones.
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

FrameKind kind_of(SymbolRole role) {
  if (role == SymbolRole::kPass) return FrameKind::kPass;
  return role == SymbolRole::kKernel ? FrameKind::kOuterScope : FrameKind::kScope;
}

// Returns the name of a hooked function. That of a kernel is a label, since only recordings have it.
const BoundaryName* name_for(const char* symbol, SymbolRole role) {
  if (role != SymbolRole::kKernel) return intern_name(symbol);
  char label[2048];
  const std::size_t length = std::strlen(symbol);
  if (length + 3 > sizeof label) return nullptr;
  label[0] = '[';
  std::memcpy(label + 1, symbol, length + 1);
  std::memcpy(label + 1 + length, "]", 2);
  return intern_name(label);
}

// Returns the number of the function's hook, and makes the hook if need be. Returns kMostThunks where there
// is no room.
std::uint32_t hook_for(const Target& target, const char* symbol, SymbolRole role) {
  const BoundaryName* name = name_for(symbol, role);
  if (name == nullptr) return kMostThunks;
  const std::uint32_t known = find_hook(target.function, name);
  if (known < g_hook_count) return known;
  const std::uint32_t at = find_vacant_hook(name);
  if (at == kMostThunks) return at;
  const FrameKind kind = kind_of(role);
  if (!lead_thunk(at, kind != FrameKind::kPass && !target.binds ? target.function : 0)) return kMostThunks;
  g_hooks[at] = {target.function, name, kind, g_records && role == SymbolRole::kLayer, target.binds};
  if (at == g_hook_count) __atomic_store_n(&g_hook_count, at + 1, __ATOMIC_RELEASE);
  return at;
}

bool is_thunk(std::uintptr_t address) {
  return address - thunk_address(0) < thunk_address(kMostThunks) - thunk_address(0);
}

// Leads a slot that holds the thunk of an operator to its function again. A thread that is on its way through the thunk arrives all
// the same.
void unhook_operator(const ElfObject& object, std::uintptr_t* slot, std::uintptr_t thunk) {
  const Hook& hook = g_hooks[number_of_thunk(thunk)];
  if (hook.kind == FrameKind::kScope && !hook.binds) object.replace(slot, hook.function);
}

// Returns true if the slot is to be hooked. Some names of kernels are those of data.
bool is_hooked(SymbolRole role, const ElfObject::Symbol& symbol) {
  if (role == SymbolRole::kNone || (kind_of(role) == FrameKind::kScope && g_operators_unhooked)) return false;
  return role != SymbolRole::kKernel || (g_records && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC);
}

enum class SlotState { kSettled, kMayChange };

// Makes the slot point at a thunk if its symbol is hooked, and at the function itself while operators are unhooked. A slot that
// is not bound yet may change again: a thread may be calling through it, and the loader's code would then store the function over
// the thunk.
SlotState hook_slot(const ElfObject& object, std::uintptr_t* slot, const ElfObject::Symbol& symbol) {
  const std::uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (is_thunk(value)) {
    if (g_operators_unhooked) unhook_operator(object, slot, value);
    return SlotState::kSettled;
  }
  const char* name = object.name_of(symbol);
  const SymbolRole role = symbol_role(name);
  if (!is_hooked(role, symbol)) return SlotState::kSettled;
  if (!object.is_filled_in(value)) return SlotState::kMayChange;
  const Target target = target_of(object, value, symbol);
  const std::uint32_t hook = target.function == 0 ? kMostThunks : hook_for(target, name, role);
  if (hook < kMostThunks) object.replace(slot, thunk_address(hook));
  return is_unbound(object, value, symbol) ? SlotState::kMayChange : SlotState::kSettled;
}

bool hook_slots_of(const ElfObject& object) {
  bool settled = true;
  object.for_each_slot([&](std::uintptr_t* slot, const ElfObject::Symbol& symbol) {
    settled &= hook_slot(object, slot, symbol) == SlotState::kSettled;
  });
  return settled;
}

// Hooks an object that is new. Leaves out an object that the loader has not finished: the next walk hooks it,
// at the latest the walk of the thread that loads it.
void hook_object(const ElfObject& object) {
  if (!object.usable() || object.contains(reinterpret_cast<std::uintptr_t>(&kOwnByte))) return;
  if (was_seen(object)) return;
  const bool relocated = object.is_relocated();
  if (relocated) note_onnxruntime(object);
  if (relocated && g_records) wrap_onnxruntime_kernels(object, g_records_flow);
  if (relocated && hook_slots_of(object)) return remember(object);
  g_some_unfinished = true;
}

// Returns true if there is something to walk for. Another object may lie at the address of one that was
// unloaded, so every unload makes this walk look at all objects again. So does a change of what is hooked.
bool take_note_of_changes(const runtime::LoaderChanges& now) {
  const bool unhook = __atomic_load_n(&g_unhook_operators, __ATOMIC_RELAXED);
  if (now == g_walked && !g_some_unfinished && unhook == g_operators_unhooked) return false;
  if (now.unloads != g_walked.unloads || unhook != g_operators_unhooked) g_seen_count = 0;
  g_operators_unhooked = unhook;
  g_walked = now;
  g_some_unfinished = false;
  return true;
}

// Hooks the objects that are new. The loader's lock keeps the objects in place and other threads from
// walking. A thread that has waited for the lock finds everything hooked that was loaded before.
void walk() {
  bool first = true;
  runtime::for_each_loaded_object([&first](const runtime::LoadedObject& info) {
    if (first && !take_note_of_changes(runtime::changes_until(info))) return true;
    first = false;
    hook_object(ElfObject(info));
    return false;
  });
}

std::size_t count_objects() {
  std::size_t count = 0;
  runtime::for_each_loaded_object([&count](const runtime::LoadedObject&) {
    ++count;
    return false;
  });
  return count;
}

// Wraps the runtimes that the walks have noted. One thread at a time wraps, without the loader's lock, since
// it calls what it wraps. Before it ends, it looks again for runtimes that were noted meanwhile.
void wrap_onnxruntimes() {
  while (onnxruntimes_are_noted()) {
    const runtime::HeldFlag wrapping(g_wrapping);
    if (!wrapping.is_mine()) return;
    wrap_noted_onnxruntimes();
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

void hook_operators(bool hooked) {
  if (!g_active) return;
  __atomic_store_n(&g_unhook_operators, !hooked, __ATOMIC_RELAXED);
  hook_new_objects();
  log_note(hooked ? "passes need a lead: operators are hooked again"
                  : "no pass needs a lead: operators are hooked no more");
}

void start_hooks() {
  if (g_active || !passes_may_come_by("hooks")) return;
  if (!start_thunks()) {
    log_trouble("no executable memory for symbol hooks: passes are seen only where the program marks them");
    return;
  }
  load_symbol_globs();
  g_records = option_mode() == Mode::kProfile;
  g_records_flow = g_records && std::strcmp(option_text(GuestOptionId::kDataFlow), "1") == 0;
  g_objects_at_start = count_objects();
  g_active = true;
  call_after_loading(hook_new_objects);
}

[[gnu::noinline]] void enter_layer(std::uintptr_t layer, CallSite site) {
  if (const BoundaryName* label = keeping_vectors(layer_label, reinterpret_cast<const void*>(layer)))
    enter_frame(FrameKind::kScope, label, site);
}

}  // namespace memo::guest

std::uintptr_t memo_hook_entered(std::uint32_t index, const void* stack, const void* return_address) {
  using namespace memo::guest;
  const Hook& hook = g_hooks[index];
  const CallSite site{return_address, stack};
  if (__builtin_expect(hook.binds, 0)) enter_frame(FrameKind::kLoading, nullptr, site);
  if (hook.kind == FrameKind::kPass) {
    enter_pass(hook.name, site, saved_argument(stack, 0), saved_argument(stack, 1));
  } else {
    enter_frame(hook.kind, hook.name, site);
    if (__builtin_expect(hook.names_layer, 0)) enter_layer(saved_argument(stack, 1), site);
  }
  return hook.function;
}
