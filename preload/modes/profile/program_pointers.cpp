#include "preload/modes/profile/program_pointers.h"

#include "preload/log/log.h"
#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

#if defined(__x86_64__)
constexpr HardwareTag kTagOfThisProcessor = kLinearAddressMasking;
#elif defined(__aarch64__)
constexpr HardwareTag kTagOfThisProcessor = kTopByteIgnored;
#endif

}  // namespace

void start_hardware_tag() {
  const char* refusal = platform::allow_tagged_pointers();
  if (refusal == nullptr) {
    g_recorder.hardware_tag = kTagOfThisProcessor;
  } else {
    log_trouble("no --tag=hardware: ", refusal, "; recording with --tag=software");
  }
}

[[gnu::cold, gnu::noinline]] void report_stale_pointer() {
  if (count_up(g_recorder.stale_pointers) > kMostReports) return;
  log_trouble(
      "a pointer to a block that was freed before was freed again; the block that has its address now stays");
}

}  // namespace memo::guest
