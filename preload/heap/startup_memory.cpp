#include "preload/heap/startup_memory.h"

#include <cerrno>
#include <cstdint>

#include "preload/route/route.h"
#include "runtime/formats/rounding.h"

namespace memo::guest::startup_memory {
namespace {

constexpr std::size_t kCapacity = 64 * 1024;
alignas(64) unsigned char g_memory[kCapacity];
std::size_t g_used;

// Lies in front of every block, so that realloc knows how many bytes to copy.
struct Header {
  std::size_t size;
};

}  // namespace

// Takes no lock: only the thread that starts the process comes here, and no second thread exists before the
// first allocation of that thread is done.
void* allocate(std::size_t size, std::size_t alignment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(g_memory);
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::uintptr_t block = runtime::round_up(begin + g_used + sizeof(Header), alignment);
  if (size > kCapacity || alignment > kCapacity || block + size > begin + kCapacity) {
    errno = ENOMEM;
    return nullptr;
  }
  if (g_used == 0) watch_addresses(begin, kCapacity);
  g_used = block + size - begin;
  auto* result = reinterpret_cast<unsigned char*>(block);
  reinterpret_cast<Header*>(result - sizeof(Header))->size = size;
  return result;
}

bool owns(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(g_memory) < kCapacity;
}

std::size_t usable_size(const void* pointer) {
  return reinterpret_cast<const Header*>(static_cast<const unsigned char*>(pointer) - sizeof(Header))->size;
}

}  // namespace memo::guest::startup_memory
