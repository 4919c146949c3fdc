#include "planner/trace/trace_context.h"

#include <algorithm>

namespace memo::planner {

std::uint64_t TraceContext::to_ns(std::uint64_t ticks) const {
  const auto elapsed = static_cast<double>(static_cast<std::int64_t>(ticks - first_ticks)) * ns_per_tick;
  const double limit = 9e18;  // the ticks of a damaged clock must still convert
  return first_ns + static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(elapsed, -limit, limit)));
}

NameIndex TraceContext::name(std::uint32_t id) const {
  const auto at = names.find(id);
  return at == names.end() ? 0 : at->second;
}

StackIndex TraceContext::stack(std::uint32_t id) const {
  const auto at = stacks.find(id);
  return at == stacks.end() ? kNone : at->second;
}

Site TraceContext::frame(std::uint64_t word, std::uint64_t ticks) {
  if ((word & trace::kFunctionFrame) == 0) return modules.resolve(word, ticks);
  const auto at = functions.find(static_cast<std::uint32_t>(word));
  return {kPythonModule, at == functions.end() ? 0 : at->second};
}

}  // namespace memo::planner
