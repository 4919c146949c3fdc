#include "preload/modes/profile/program_pointers.h"

#include <cstdint>

#include "preload/heap/aliased_pages.h"
#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/platform/notice.h"

namespace memo::guest {
namespace {

#if defined(__x86_64__)
constexpr PointerTag kTagOfThisProcessor = kLinearAddressMasking;
#elif defined(__aarch64__)
constexpr PointerTag kTagOfThisProcessor = kTopByteIgnored;
#endif

constexpr int kAliasBits = 4;

void begin_tagging(PointerTag place) {
  g_recorder.pointer_tag = place;
  g_recorder.tags_new_pointers = true;
}

}  // namespace

void start_hardware_tag() {
  const char* refusal = platform::allow_tagged_pointers();
  if (refusal == nullptr) {
    begin_tagging(kTagOfThisProcessor);
  } else {
    log_trouble("no --tag=hardware: ", refusal, "; recording with --tag=software");
  }
}

void start_aliases() {
  runtime::set_notice_sink([](const char* line) { log_trouble(line); });
  const char* refusal = heap::show_pages_in_windows(kAliasBits);
  if (refusal != nullptr) return log_trouble("no --tag=alias: ", refusal, "; recording with --tag=software");
  const platform::PageWindows& windows = heap::windows();
  begin_tagging(tag_of_windows(windows.first, windows.shift, windows.bits));
}

// Stops tagging first: a thread that still tags a pointer has stored what belongs to the block before its windows are parted. Each
// of several threads that copy the process waits until they are.
bool end_aliases() {
  if (heap::windows().bits == 0) return false;
  const bool is_first = __atomic_exchange_n(&g_recorder.tags_new_pointers, false, __ATOMIC_SEQ_CST);
  heap::part_windows();
  return is_first;
}

[[gnu::cold, gnu::noinline]] void say_that_aliases_ended() {
  log_trouble(
      "pointers to new blocks have no tag from here on, since the process has been forked (--tag=alias)");
}

bool addresses_are_parted() {
  return heap::windows().bits != 0 && !read_relaxed(g_recorder.tags_new_pointers);
}

[[gnu::cold, gnu::noinline]] void report_stale_pointer() {
  if (count_up(g_recorder.stale_pointers) > kMostReports) return;
  log_trouble(
      "a pointer to a block that was freed before was freed again; the block that has its address now stays");
}

}  // namespace memo::guest
