// Statistics and comparisons as somebody else may have written them: whatever the text, it is refused with a sentence or
// becomes a page.
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "planner/tool/report/report_page.h"

namespace {

template <typename Read, typename List>
void take(Read read, std::string_view text, List& list) {
  try {
    list.push_back(read(text, "input"));
  } catch (const std::runtime_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memo::planner;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Report report;
  take(read_served_run, text, report.served);
  take(read_measured, text, report.measured);
  if (!report.served.empty() || !report.measured.empty()) static_cast<void>(report_page(report));
  return 0;
}
