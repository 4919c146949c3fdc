#include "preload/boundaries/thunks.h"

#include <sys/mman.h>

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

extern "C" {
[[gnu::visibility("hidden")]] void memo_hook_entry();
// Bytes that saving the vector registers takes; 0 where the processor has no XSAVE.
[[gnu::visibility("hidden"), gnu::used]] std::uint64_t memo_hook_state_bytes = 0;
}

namespace memo::guest {
namespace {

unsigned char* g_code;

void write_bytes(unsigned char*& at, const void* bytes, std::size_t count) {
  std::memcpy(at, bytes, count);
  at += count;
}

#if defined(__x86_64__)

constexpr std::size_t kThunkBytes = 16;
constexpr std::size_t kPreludeBytes = 16;  // holds the address of memo_hook_entry

// endbr64; push $index; jmp *prelude(%rip)
void write_thunk(unsigned char* code, std::uint32_t index) {
  static constexpr unsigned char kEndBranch[] = {0xf3, 0x0f, 0x1e, 0xfa};
  static constexpr unsigned char kPush = 0x68;
  static constexpr unsigned char kJump[] = {0xff, 0x25};
  unsigned char* at = code + kPreludeBytes + index * kThunkBytes;
  write_bytes(at, kEndBranch, sizeof kEndBranch);
  write_bytes(at, &kPush, 1);
  write_bytes(at, &index, sizeof index);
  write_bytes(at, kJump, sizeof kJump);
  const auto distance = static_cast<std::int32_t>(code - (at + 4));
  write_bytes(at, &distance, sizeof distance);
}

// The components that carry arguments, as in memo_hook_entry: SSE, AVX, and the three of AVX-512.
constexpr std::uint32_t kSavedComponents = 0xe6;

void measure_vector_state() {
  constexpr unsigned kHasXsave = 1U << 27;  // OSXSAVE: the kernel has switched it on
  constexpr std::uint64_t kLegacyAndHeader = 576;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kHasXsave) == 0) return;
  std::uint64_t bytes = kLegacyAndHeader;
  for (unsigned component = 2; component < 8; ++component) {
    if ((kSavedComponents >> component & 1) == 0 || __get_cpuid_count(13, component, &a, &b, &c, &d) == 0)
      continue;
    const std::uint64_t end = std::uint64_t{a} + b;
    bytes = end > bytes ? end : bytes;
  }
  memo_hook_state_bytes = (bytes + 63) & ~std::uint64_t{63};
}

#elif defined(__aarch64__)

constexpr std::size_t kThunkBytes = 16;
constexpr std::size_t kPreludeBytes = 16;

constexpr std::uint32_t load_literal_x16(std::int64_t distance) {
  return 0x58000010U | (static_cast<std::uint32_t>(distance / 4) & 0x7ffffU) << 5;
}

// bti c; movz w17, #index; ldr x16, prelude; br x16
void write_thunk(unsigned char* code, std::uint32_t index) {
  unsigned char* at = code + kPreludeBytes + index * kThunkBytes;
  const std::uint32_t instructions[] = {0xd503245fU, 0x52800011U | index << 5,
                                        load_literal_x16(code - (at + 8)), 0xd61f0200U};
  write_bytes(at, instructions, sizeof instructions);
}

void measure_vector_state() {}

#endif

constexpr std::size_t kCodeBytes = kPreludeBytes + kMostThunks * kThunkBytes;

}  // namespace

bool start_thunks() {
  void* memory = mmap(nullptr, kCodeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* code = static_cast<unsigned char*>(memory);
  const auto entry = reinterpret_cast<std::uintptr_t>(&memo_hook_entry);
  std::memcpy(code, &entry, sizeof entry);
  for (std::uint32_t i = 0; i < kMostThunks; ++i) write_thunk(code, i);
  __builtin___clear_cache(reinterpret_cast<char*>(code), reinterpret_cast<char*>(code + kCodeBytes));
  if (mprotect(memory, kCodeBytes, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, kCodeBytes);
    return false;
  }
  measure_vector_state();
  g_code = code;
  return true;
}

std::uintptr_t thunk_address(std::uint32_t index) {
  return reinterpret_cast<std::uintptr_t>(g_code + kPreludeBytes + index * kThunkBytes);
}

}  // namespace memo::guest
