// Computes what can be said about one pass by itself.
#include <algorithm>
#include <functional>
#include <string_view>

#include "planner/trace/mix.h"
#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

class Fingerprint {
 public:
  void add(std::uint64_t value) { hash_ = mix(hash_, value); }
  void add(std::string_view text) { hash_ = mix(mix(hash_, text), text.size()); }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x6D656D6F;
};

// Returns the build-id, which names the code; for a file without one, the path.
std::string_view identity(const Trace& trace, ModuleIndex module) {
  if (module >= trace.modules.size()) return "";
  const Module& one = trace.modules[module];
  return one.build_id.empty() ? one.path : one.build_id;
}

}  // namespace

std::uint64_t fingerprint(const Trace& trace, const Pass& pass) {
  std::vector<std::uint64_t> modules(trace.modules.size() + 1, 0);
  for (std::size_t i = 0; i < trace.modules.size(); ++i) {
    Fingerprint one;
    one.add(identity(trace, static_cast<ModuleIndex>(i)));
    modules[i] = one.value();
  }
  Fingerprint all;
  for (const Allocation& made : pass.allocations) {
    const bool known = made.site.module < trace.modules.size();
    all.add(known ? modules[made.site.module] : 0);
    all.add(known ? made.site.offset : 0);
    all.add(static_cast<std::uint64_t>(made.size));
    all.add(static_cast<std::uint64_t>(made.alignment));
    all.add(static_cast<std::uint64_t>(made.kind));
    all.add(made.scope < pass.scopes.size() ? trace.name(pass.scopes[made.scope].name) : std::string_view());
    all.add(static_cast<std::uint64_t>(made.life.begin));
    all.add(made.escapes ? UINT64_MAX : static_cast<std::uint64_t>(made.life.end));
  }
  return all.value();
}

Problem to_problem(const Pass& pass, std::vector<std::uint32_t>* index) {
  Problem problem;
  for (std::uint32_t i = 0; i < pass.allocations.size(); ++i) {
    const Allocation& made = pass.allocations[i];
    if (made.escapes || made.size == 0) continue;
    problem.buffers.push_back({made.life, made.size, made.alignment, std::nullopt});
    if (index != nullptr) index->push_back(i);
  }
  return problem;
}

Bytes bytes_requested(const Pass& pass) {
  Bytes sum = 0;
  for (const Allocation& made : pass.allocations) sum += made.size;
  return sum;
}

Bytes peak_live_bytes(const Pass& pass) {
  Problem problem;
  for (const Allocation& made : pass.allocations) {
    if (made.size > 0) problem.buffers.push_back({made.life, made.size, 1, std::nullopt});
  }
  return peak_live_bytes(problem);
}

}  // namespace memo::planner
