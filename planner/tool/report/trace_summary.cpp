#include "planner/tool/report/trace_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "planner/tool/report/operator_paths.h"
#include "planner/trace/symbols.h"

namespace memo::planner {
namespace {

constexpr const char* kOutside = "outside operators";

PassSummary summarise_pass(const Trace& trace, const Pass& pass) {
  PassSummary summary{&pass, bytes_requested(pass), peak_live_bytes(pass), fingerprint(trace, pass), 0, 0};
  for (const Allocation& made : pass.allocations) {
    if (made.escapes) ++summary.escaping;
    if (!made.freed) ++summary.unfreed;
  }
  return summary;
}

std::vector<PassGroup> group(const std::vector<PassSummary>& passes) {
  std::vector<PassGroup> groups;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    auto alike = std::find_if(groups.begin(), groups.end(), [&](const PassGroup& known) {
      return known.fingerprint == passes[i].fingerprint;
    });
    if (alike == groups.end()) alike = groups.insert(groups.end(), {passes[i].fingerprint, i, 0});
    ++alike->count;
  }
  return groups;
}

std::vector<Total> by_bytes(const std::map<std::string, Total>& totals) {
  std::vector<Total> sorted;
  for (const auto& [name, total] : totals) {
    sorted.push_back(total);
    sorted.back().name = name;
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Total& a, const Total& b) { return a.bytes > b.bytes; });
  return sorted;
}

std::vector<const Pass*> recurring(const TraceSummary& summary) {
  std::map<std::uint64_t, std::size_t> times;
  for (const PassGroup& group : summary.groups) times[group.fingerprint] = group.count;
  std::vector<const Pass*> all;
  std::vector<const Pass*> again;
  for (const PassSummary& one : summary.passes) {
    all.push_back(one.pass);
    if (times[one.fingerprint] > 1) again.push_back(one.pass);
  }
  return again.empty() ? all : again;
}

std::vector<std::string> readable_names(const Trace& trace) {
  std::vector<std::string> readable;
  readable.reserve(trace.names.size());
  for (const std::string& name : trace.names) readable.push_back(readable_name(name));
  return readable;
}

std::vector<Total> scope_totals(const Trace& trace, const std::vector<const Pass*>& passes) {
  const std::vector<std::string> readable = readable_names(trace);
  std::map<std::string, Total> totals;
  for (const Pass* pass : passes) {
    for (const Scope& scope : pass->scopes) ++totals[readable[scope.name]].calls;
    for (const Allocation& made : pass->allocations) {
      Total& total = totals[made.scope == kNone ? kOutside : readable[pass->scopes[made.scope].name]];
      ++total.allocations;
      total.bytes += made.size;
    }
  }
  return by_bytes(totals);
}

std::vector<Total> outermost_totals(const Trace& trace, const std::vector<const Pass*>& passes) {
  const std::vector<std::string> readable = readable_names(trace);
  std::map<std::string, Total> totals;
  const auto name_of = [&](const Pass& pass, ScopeIndex scope) {
    return scope == kNone ? kOutside : readable[pass.scopes[scope].name];
  };
  for (const Pass* pass : passes) {
    const std::vector<ScopeIndex> outermost = outermost_operators(trace, *pass);
    for (ScopeIndex scope = 0; scope < outermost.size(); ++scope)
      if (outermost[scope] == scope) ++totals[name_of(*pass, scope)].calls;
    for (const Allocation& made : pass->allocations) {
      Total& total = totals[name_of(*pass, made.scope == kNone ? kNone : outermost[made.scope])];
      ++total.allocations;
      total.bytes += made.size;
    }
  }
  return by_bytes(totals);
}

std::vector<Total> site_totals(const Trace& trace, const std::vector<const Pass*>& passes) {
  std::map<Site, Total> by_site;
  for (const Pass* pass : passes) {
    for (const Allocation& made : pass->allocations) {
      Total& total = by_site[made.site];
      ++total.allocations;
      total.bytes += made.size;
    }
  }
  Symbolizer symbols(trace);
  std::map<std::string, Total> totals;
  for (const auto& [site, one] : by_site) {
    Total& total = totals[symbols.name(site)];
    total.allocations += one.allocations;
    total.bytes += one.bytes;
  }
  return by_bytes(totals);
}

}  // namespace

TraceSummary summarise(const Trace& trace) {
  TraceSummary summary;
  for (const Pass& pass : trace.passes) {
    summary.passes.push_back(summarise_pass(trace, pass));
    if (pass.complete) ++summary.complete;
  }
  summary.groups = group(summary.passes);
  summary.counted = recurring(summary);
  summary.scopes = scope_totals(trace, summary.counted);
  summary.outermost = outermost_totals(trace, summary.counted);
  summary.operators = by_operator(trace, asked_for(summary.counted));
  summary.sites = site_totals(trace, summary.counted);
  return summary;
}

Total outside_operators(const TraceSummary& summary) {
  const auto at = std::ranges::find(summary.outermost, kOutside, &Total::name);
  return at == summary.outermost.end() ? Total{.name = kOutside} : *at;
}

std::string describe_counted(const TraceSummary& summary) {
  const std::size_t passes = summary.passes.size();
  return summary.counted.size() == passes ? "all passes together"
                                          : fmt::format("the {} passes that recur", summary.counted.size());
}

}  // namespace memo::planner
