#include "preload/boundaries/names.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/plan_format.h"

namespace memo::guest {
namespace {

constexpr std::size_t kSlots = 1U << 15;
constexpr std::uint32_t kMostNames = kSlots / 2;  // keeps probes short
constexpr std::size_t kLongestText = 4000;

const BoundaryName* g_slots[kSlots];
std::uint32_t g_names;

// Two threads that meet a new text together both make a name; the one that comes second throws its own away.
BoundaryName* make_name(const char* text, std::uint64_t hash) {
  const std::size_t length = strnlen(text, kLongestText);
  void* memory = mmap(nullptr, sizeof(BoundaryName) + length + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* name = static_cast<BoundaryName*>(memory);
  char* copy = reinterpret_cast<char*>(name + 1);
  std::memcpy(copy, text, length);
  name->text = copy;
  name->hash = hash;
  return name;
}

bool is_name(const BoundaryName* name, const char* text, std::uint64_t hash) {
  return name->hash == hash && std::strncmp(name->text, text, kLongestText) == 0;
}

}  // namespace

const BoundaryName* intern_name(const char* text) {
  const std::uint64_t hash = scope_name_hash(text);
  BoundaryName* fresh = nullptr;
  for (std::size_t at = hash % kSlots;; at = (at + 1) % kSlots) {
    const BoundaryName* found = __atomic_load_n(&g_slots[at], __ATOMIC_ACQUIRE);
    if (found == nullptr) {
      if (__atomic_load_n(&g_names, __ATOMIC_RELAXED) >= kMostNames) return nullptr;
      if (fresh == nullptr) fresh = make_name(text, hash);
      if (fresh == nullptr) return nullptr;
      if (fresh->id == 0) fresh->id = __atomic_add_fetch(&g_names, 1, __ATOMIC_RELAXED);
      if (__atomic_compare_exchange_n(&g_slots[at], &found, fresh, false, __ATOMIC_RELEASE,
                                      __ATOMIC_ACQUIRE)) {
        return fresh;
      }
    }
    if (is_name(found, text, hash)) return found;
  }
}

}  // namespace memo::guest
