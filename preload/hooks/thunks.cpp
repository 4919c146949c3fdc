#include "preload/hooks/thunks.h"

#include <cstring>

#include "preload/boundaries/kept_vectors.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/pages.h"

extern "C" [[gnu::visibility("hidden")]] void memo_hook_entry();

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

#endif

constexpr std::size_t kCodeBytes = kPreludeBytes + kMostThunks * kThunkBytes;

}  // namespace

bool start_thunks() {
  void* memory = runtime::map_own(runtime::Own::kHooks, kCodeBytes);
  if (memory == nullptr) return false;
  auto* code = static_cast<unsigned char*>(memory);
  const auto entry = reinterpret_cast<std::uintptr_t>(&memo_hook_entry);
  std::memcpy(code, &entry, sizeof entry);
  for (std::uint32_t i = 0; i < kMostThunks; ++i) write_thunk(code, i);
  __builtin___clear_cache(reinterpret_cast<char*>(code), reinterpret_cast<char*>(code + kCodeBytes));
  if (!runtime::make_executable(memory, kCodeBytes)) {
    runtime::unmap_own(runtime::Own::kHooks, memory, kCodeBytes);
    return false;
  }
  measure_vectors();
  g_code = code;
  return true;
}

std::uintptr_t thunk_address(std::uint32_t index) {
  return reinterpret_cast<std::uintptr_t>(g_code + kPreludeBytes + index * kThunkBytes);
}

}  // namespace memo::guest
