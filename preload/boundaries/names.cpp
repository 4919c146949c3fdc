#include "preload/boundaries/names.h"

#include <cstring>

#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"
#include "runtime/platform/own_memory.h"

namespace memo::guest {
namespace {

constexpr std::size_t kSlots = 1U << 15;
constexpr std::uint32_t kMostNames = kSlots / 2;  // half of the slots, to keep probes short
constexpr std::size_t kLongestText = 4000;
constexpr std::size_t kRoomBytes = std::size_t{1} << 16;

const BoundaryName* g_slots[kSlots];
std::uint32_t g_names;

// A block of memory for names, which lie in it one after the other. Hooking the operators of a framework
// makes thousands of names, and they live as long as the process.
struct Room {
  std::size_t used;
  char bytes[kRoomBytes - sizeof(std::size_t)];
};
Room* g_room;

Room* another_room(Room* full) {
  void* memory = runtime::map_own(runtime::Own::kHooks, sizeof(Room));
  if (memory == nullptr) return nullptr;
  auto* fresh = static_cast<Room*>(memory);
  if (__atomic_compare_exchange_n(&g_room, &full, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  runtime::unmap_own(runtime::Own::kHooks, memory, sizeof(Room));
  return full;
}

void* take_room(std::size_t bytes) {
  const std::size_t rounded = runtime::round_up(bytes, alignof(BoundaryName));
  Room* room = __atomic_load_n(&g_room, __ATOMIC_ACQUIRE);
  for (;;) {
    if (room != nullptr) {
      const std::size_t at = __atomic_fetch_add(&room->used, rounded, __ATOMIC_RELAXED);
      if (at + rounded <= sizeof room->bytes) return room->bytes + at;
    }
    room = another_room(room);
    if (room == nullptr) return nullptr;
  }
}

// Makes a name. Two threads that meet a new text at the same time both make one; the second thread then drops
// its own.
BoundaryName* make_name(const char* text, std::uint64_t hash) {
  const std::size_t length = strnlen(text, kLongestText);
  void* memory = take_room(sizeof(BoundaryName) + length + 1);
  if (memory == nullptr) return nullptr;
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
