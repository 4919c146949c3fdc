#include "planner/tool/report/shown_frames.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "planner/system/base_name.h"

namespace memo::planner {
namespace {

// Tells by the file's name, "python3.11" or "libpython3.11.so.1.0". A server that has the interpreter within is another file.
bool is_of_interpreter(const Trace& trace, const Site& frame) {
  if (frame.module >= trace.modules.size()) return false;
  const std::string_view file = base_name(trace.modules[frame.module].path);
  return file.starts_with("python") || file.starts_with("libpython");
}

}  // namespace

std::vector<Site> shown_frames(const Trace& trace, const std::vector<Site>& stack) {
  if (std::ranges::find(stack, kPythonModule, &Site::module) == stack.end()) return stack;
  const auto passes_calls_on = [&trace](const Site& frame) { return is_of_interpreter(trace, frame); };
  const auto callers = std::ranges::find_if_not(stack, passes_calls_on);
  std::vector<Site> shown(stack.begin(), callers);
  std::ranges::remove_copy_if(callers, stack.end(), std::back_inserter(shown), passes_calls_on);
  return shown;
}

}  // namespace memo::planner
