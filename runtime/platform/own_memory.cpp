#include "runtime/platform/own_memory.h"

#include <atomic>

#include "runtime/platform/pages.h"

namespace memo::runtime {
namespace {

constinit std::atomic<std::uint64_t> g_own[kOwnCount]{};

std::atomic<std::uint64_t>& bytes_of(Own use) {
  return g_own[static_cast<std::uint32_t>(use)];
}

}  // namespace

void* map_own(Own use, std::size_t bytes) {
  void* memory = map_pages(bytes);
  if (memory != nullptr) bytes_of(use).fetch_add(bytes, std::memory_order_relaxed);
  return memory;
}

void unmap_own(Own use, void* memory, std::size_t bytes) {
  unmap_pages(memory, bytes);
  bytes_of(use).fetch_sub(bytes, std::memory_order_relaxed);
}

void add_own(Own use, std::uint64_t bytes) {
  bytes_of(use).fetch_add(bytes, std::memory_order_relaxed);
}

void set_own(Own use, std::uint64_t bytes) {
  bytes_of(use).store(bytes, std::memory_order_relaxed);
}

std::uint64_t own_bytes(Own use) {
  return bytes_of(use).load(std::memory_order_relaxed);
}

}  // namespace memo::runtime
