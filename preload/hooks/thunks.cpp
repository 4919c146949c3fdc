#include "preload/hooks/thunks.h"

#include <cstring>

#include "preload/boundaries/kept_vectors.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/pages.h"
#include "runtime/slab/thread_state.h"

extern "C" [[gnu::visibility("hidden")]] void memo_hook_entry();

namespace memo::guest {
namespace {

constexpr std::size_t kThunkBytes = 48;
constexpr std::size_t kCodeBytes = kMostThunks * kThunkBytes;

// The targets of the thunks. The words follow the code, which reads them by their distance.
struct Ways {
  std::uintptr_t entry;              // memo_hook_entry
  std::uintptr_t past[kMostThunks];  // for each thunk: where it jumps while operators are ignored
};

unsigned char* g_code;
std::uint32_t g_written;  // thunks

Ways& ways() {
  return *reinterpret_cast<Ways*>(g_code + kCodeBytes);
}

unsigned char* code_of(std::uint32_t index) {
  return g_code + index * kThunkBytes;
}

template <typename Bytes>
void append(unsigned char*& at, const Bytes& bytes) {
  std::memcpy(at, &bytes, sizeof bytes);
  at += sizeof bytes;
}

#if defined(__x86_64__)

constexpr std::size_t kReportOffset = 15;

// Returns the distance of the byte that says whether the thread ignores operators from the thread's pointer. It is the
// same in every thread.
std::int32_t flag_offset() {
  const char* thread;
  asm("movq %%fs:0, %0" : "=r"(thread));
  return static_cast<std::int32_t>(reinterpret_cast<const char*>(&runtime::t_self.ignores_operators) -
                                   thread);
}

void append_jump_by(unsigned char*& at, const std::uintptr_t& way) {
  static constexpr unsigned char kJump[] = {0xff, 0x25};
  append(at, kJump);
  append(at, static_cast<std::int32_t>(reinterpret_cast<const unsigned char*>(&way) - (at + 4)));
}

//          endbr64; cmpb $0, %fs:flag; jne past
//  report: endbr64; push $index; jmp *entry
//  past:   jmp *past[index]
void write_thunk(std::uint32_t index) {
  static constexpr unsigned char kEndBranch[] = {0xf3, 0x0f, 0x1e, 0xfa};
  static constexpr unsigned char kCompareOfThread[] = {0x64, 0x80, 0x3c, 0x25};
  static constexpr unsigned char kWithZeroAndJumpIfNot[] = {0x00, 0x75, 0x0f};
  static constexpr unsigned char kPush[] = {0x68};
  unsigned char* at = code_of(index);
  append(at, kEndBranch);
  append(at, kCompareOfThread);
  append(at, flag_offset());
  append(at, kWithZeroAndJumpIfNot);
  append(at, kEndBranch);
  append(at, kPush);
  append(at, index);
  append_jump_by(at, ways().entry);
  append_jump_by(at, ways().past[index]);
}

#elif defined(__aarch64__)

constexpr std::size_t kReportOffset = 20;

constexpr std::uint32_t kLandingPad = 0xd503245f;  // bti c
constexpr std::uint32_t kNothing = 0xd503201f;     // nop
constexpr std::uint32_t kJump = 0xd61f0200;        // br x16

constexpr std::uint32_t put_in_w17(std::uint64_t number) {
  return 0x52800011U | static_cast<std::uint32_t>(number) << 5;
}

constexpr std::uint32_t load_x16(std::int64_t distance) {
  return 0x58000010U | (static_cast<std::uint32_t>(distance / 4) & 0x7ffffU) << 5;
}

// Writes three instructions that leave in w16 whether the thread ignores operators. Says that it does not where its
// thread-local storage is too large for one instruction to say how far away that byte is.
void append_flag(unsigned char*& at) {
  const auto offset =
      static_cast<std::uint64_t>(reinterpret_cast<const char*>(&runtime::t_self.ignores_operators) -
                                 static_cast<const char*>(__builtin_thread_pointer()));
  constexpr std::uint32_t kThreadPointer = 0xd53bd050;  // mrs x16, tpidr_el0
  constexpr std::uint32_t kLoadByte = 0x38716a10;       // ldrb w16, [x16, x17]
  constexpr std::uint32_t kZero = 0x52800010;           // movz w16, #0
  const std::uint32_t near[] = {kThreadPointer, put_in_w17(offset), kLoadByte};
  const std::uint32_t far[] = {kZero, kNothing, kNothing};
  offset < 0x10000 ? append(at, near) : append(at, far);
}

void append_jump_by(unsigned char*& at, const std::uintptr_t& way) {
  append(at, load_x16(reinterpret_cast<const unsigned char*>(&way) - at));
  append(at, kJump);
}

//          bti c; w16 = the flag; cbnz w16, past
//  report: bti c; movz w17, #index; ldr x16, entry; br x16
//  past:   ldr x16, past[index]; br x16
void write_thunk(std::uint32_t index) {
  constexpr std::uint32_t kPastIfNotZero = 0x350000b0;  // cbnz w16, five instructions on
  unsigned char* at = code_of(index);
  append(at, kLandingPad);
  append_flag(at);
  append(at, kPastIfNotZero);
  append(at, kLandingPad);
  append(at, put_in_w17(index));
  append_jump_by(at, ways().entry);
  append_jump_by(at, ways().past[index]);
}

#endif

static_assert(kMostThunks * (kThunkBytes + sizeof(std::uintptr_t)) < 1U << 20,
              "AArch64 reads no word that is further away");

// Writes the thunks of the next three pages, which no thread runs yet: three pages hold whole thunks. Returns false where the
// kernel lets nothing be run.
bool write_more_thunks() {
  const std::size_t bytes = 3 * runtime::page_bytes();
  const auto count = static_cast<std::uint32_t>(bytes / kThunkBytes);
  unsigned char* begin = code_of(g_written);
  if (!runtime::open_pages(begin, bytes)) return false;
  for (std::uint32_t index = g_written; index < g_written + count; ++index) write_thunk(index);
  __builtin___clear_cache(reinterpret_cast<char*>(begin), reinterpret_cast<char*>(begin + bytes));
  if (!runtime::make_executable(begin, bytes)) return false;
  runtime::add_own(runtime::Own::kHooks, bytes + count * sizeof(std::uintptr_t));
  g_written += count;
  return true;
}

}  // namespace

bool start_thunks() {
  void* memory = runtime::reserve_addresses(kCodeBytes + sizeof(Ways));
  if (memory == nullptr) return false;
  g_code = static_cast<unsigned char*>(memory);
  if (!runtime::open_pages(&ways(), sizeof(Ways)) || !write_more_thunks()) {
    runtime::unmap_pages(memory, kCodeBytes + sizeof(Ways));
    return false;
  }
  ways().entry = reinterpret_cast<std::uintptr_t>(&memo_hook_entry);
  measure_vectors();
  return true;
}

bool lead_thunk(std::uint32_t index, std::uintptr_t past) {
  if (index >= g_written && !write_more_thunks()) return false;
  const auto report = reinterpret_cast<std::uintptr_t>(code_of(index)) + kReportOffset;
  __atomic_store_n(&ways().past[index], past != 0 ? past : report, __ATOMIC_RELEASE);
  return true;
}

std::uintptr_t thunk_address(std::uint32_t index) {
  return reinterpret_cast<std::uintptr_t>(code_of(index));
}

std::uint32_t number_of_thunk(std::uintptr_t address) {
  return static_cast<std::uint32_t>((address - thunk_address(0)) / kThunkBytes);
}

}  // namespace memo::guest
