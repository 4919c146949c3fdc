#include "preload/symbols/torch_memory.h"

#include <cstring>

#include "preload/dispatch/backend.h"
#include "preload/log/log.h"
#include "preload/options/options.h"
#include "preload/platform/elf_object.h"
#include "preload/route/route.h"
#include "runtime/platform/loader.h"

extern "C" {
void* _ZN3c109alloc_cpuEm(std::size_t bytes);
void _ZN3c108free_cpuEPv(void* block);
}

namespace memo::guest {

TensorOwner g_tensor_owner = kUndecided;
TorchMemory g_torch_memory;

namespace {

constexpr const char* kAllocate = "_ZN3c109alloc_cpuEm";
constexpr const char* kRelease = "_ZN3c108free_cpuEPv";
constexpr bool kNever = false;

// Stands for PyTorch's functions where no object defines them: a program may ask whether they exist.
void* no_memory(std::size_t) {
  return nullptr;
}
void keep(void*) {}

// The findings about the object that defines the two functions.
struct Found {
  TorchMemory memory{no_memory, keep, &kNever};
  bool can_be_replaced = false;
  const char* path = nullptr;  // null if there is no such object
};

// Debugging flags of PyTorch that say what new memory holds and on which node it lies.
struct Flags {
  const bool* zeros = nullptr;
  const bool* junk = nullptr;
  const bool* nodes = nullptr;

  // Takes those that the object defines and that are not known yet. An executable may have copies of a library's
  // variables, which everybody uses then, so it has to be asked first.
  void take_from(const ElfObject& object) {
    take(zeros, object, "FLAGS_caffe2_cpu_allocator_do_zero_fill");
    take(junk, object, "FLAGS_caffe2_cpu_allocator_do_junk_fill");
    take(nodes, object, "FLAGS_caffe2_cpu_numa_enabled");
  }

  [[nodiscard]] bool want_more_than_zeros() const {
    return (junk != nullptr && *junk) || (nodes != nullptr && *nodes);
  }

 private:
  static void take(const bool*& flag, const ElfObject& object, const char* name) {
    const ElfObject::Symbol* symbol = flag == nullptr ? object.find_symbol(name) : nullptr;
    if (symbol != nullptr) flag = reinterpret_cast<const bool*>(object.address_of(*symbol));
  }
};

// The ways in which an object calls functions of other objects, and its own where others may take their place.
struct Calls {
  bool posix_memalign = false;
  bool allocate = false;
  bool release = false;
  bool own_ones = false;  // a slot leads to the object's own definition
};

Calls calls_of(const ElfObject& object, const TorchMemory& memory) {
  Calls calls;
  object.for_each_slot([&](const std::uintptr_t* slot, const ElfObject::Symbol& symbol) {
    const char* name = object.name_of(symbol);
    const std::uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
    calls.posix_memalign |= std::strcmp(name, "posix_memalign") == 0;
    calls.allocate |= std::strcmp(name, kAllocate) == 0;
    calls.release |= std::strcmp(name, kRelease) == 0;
    calls.own_ones |= value == reinterpret_cast<std::uintptr_t>(memory.allocate) ||
                      value == reinterpret_cast<std::uintptr_t>(memory.release);
  });
  return calls;
}

bool can_be_replaced(const ElfObject& object, const TorchMemory& memory, const Flags& flags) {
  const Calls calls = calls_of(object, memory);
  const bool through_slots = calls.allocate && calls.release && !calls.own_ones;
  return through_slots && !calls.posix_memalign && !flags.want_more_than_zeros();
}

bool is_own(const ElfObject& object) {
  return object.contains(reinterpret_cast<std::uintptr_t>(&_ZN3c109alloc_cpuEm));
}

// Fills in what is to be known of an object that defines both functions. Returns false for any other object.
bool describe(const ElfObject& object, const Flags& flags, Found& found) {
  const std::uintptr_t allocate = object.find_function(kAllocate);
  const std::uintptr_t release = object.find_function(kRelease);
  if (allocate == 0 || release == 0) return false;
  found.memory = {reinterpret_cast<void* (*)(std::size_t)>(allocate),
                  reinterpret_cast<void (*)(void*)>(release), flags.zeros != nullptr ? flags.zeros : &kNever};
  found.can_be_replaced = can_be_replaced(object, found.memory, flags);
  return true;
}

// Looks for the first object beside this library that defines both functions. The loader begins with the executable.
Found find_torch() {
  Found found;
  Flags in_executable;
  bool first = true;
  runtime::for_each_loaded_object([&](const runtime::LoadedObject& info) {
    const ElfObject object(info);
    if (!object.usable() || is_own(object)) return false;
    if (first) in_executable.take_from(object);
    first = false;
    Flags flags = in_executable;
    flags.take_from(object);
    if (!describe(object, flags, found)) return false;
    found.path = info.dlpi_name;
    return true;
  });
  return found;
}

// Returns true if this process has a mode in which allocations come to the library's own heap and more is done with
// them than that.
bool is_profiled_or_served() {
  if (t_route == Route::kUnknown) settle_thread();
  return backend().allocate != nullptr && backend().first_route != Route::kPassThrough;
}

TensorOwner owner_of(const Found& found) {
  if (found.path == nullptr) return kThisLibrary;
  return found.can_be_replaced && is_profiled_or_served() ? kThisLibrary : kTorch;
}

}  // namespace

// Two threads that decide at the same time find the same.
TensorOwner decide_tensor_owner() {
  const Found found = find_torch();
  const TensorOwner owner = owner_of(found);
  g_torch_memory = found.memory;
  TensorOwner undecided = kUndecided;
  if (__atomic_compare_exchange_n(&g_tensor_owner, &undecided, owner, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE) &&
      owner == kThisLibrary && found.path != nullptr)
    log_note("allocating PyTorch's tensors in the place of the allocator inside ", found.path);
  return __atomic_load_n(&g_tensor_owner, __ATOMIC_ACQUIRE);
}

}  // namespace memo::guest
