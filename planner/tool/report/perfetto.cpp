#include "planner/tool/report/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "planner/trace/symbols.h"

namespace memo::planner {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace), symbols_(trace) {
    for (const std::string& name : trace.names) names_.push_back(quoted(readable_name(name)));
    origin_ = trace.passes.empty() ? 0 : trace.passes.front().begin_ns;
    for (const Pass& pass : trace.passes) origin_ = std::min(origin_, pass.begin_ns);
  }

  std::string write() {
    out_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    add_titles();
    for (const Pass& pass : trace_.passes) add_pass(pass);
    if (!first_) out_ += "\n";
    return std::move(out_) + "]}\n";
  }

 private:
  // Returns the time in microseconds, the unit of the format.
  [[nodiscard]] double micros(std::uint64_t ns) const {
    return static_cast<double>(static_cast<std::int64_t>(ns - origin_)) / 1000.0;
  }

  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (!first_) out_ += ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  // Adds the names that the viewer shows for the process and its threads.
  void add_titles() {
    const std::string command = trace_.command.empty() ? "?" : trace_.command.front();
    add(R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":{}}}}})", trace_.pid,
        quoted(command.substr(command.rfind('/') + 1)));
    for (ThreadIndex thread = 0; thread < trace_.threads; ++thread) {
      add(R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"passes of thread {}"}}}})",
          trace_.pid, thread, thread);
    }
  }

  void add_slice(const std::string& name, ThreadIndex thread, std::uint64_t begin, std::uint64_t end) {
    add(R"({{"name":{},"ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}})", name, trace_.pid, thread,
        micros(begin), micros(end) - micros(begin));
  }

  const std::string& site(const Site& where) {
    std::string& known = sites_[where];
    if (known.empty()) known = quoted(symbols_.name(where));
    return known;
  }

  void add_allocation(const Pass& pass, const Allocation& made) {
    const std::string& scope = names_[made.scope == kNone ? pass.name : pass.scopes[made.scope].name];
    const std::uint64_t end = made.freed ? made.end_ns : pass.end_ns;
    add(R"({{"name":{},"cat":"allocation","ph":"b","id":"{:#x}","pid":{},"tid":{},"ts":{:.3f},"args":{{"bytes":{},"alignment":{},"site":{},"escapes":{}}}}})",
        scope, made.tagged, trace_.pid, pass.thread, micros(made.begin_ns), made.size, made.alignment,
        site(made.site), made.escapes);
    add(R"({{"name":{},"cat":"allocation","ph":"e","id":"{:#x}","pid":{},"tid":{},"ts":{:.3f}}})", scope,
        made.tagged, trace_.pid, pass.thread, micros(end));
  }

  void add_live_bytes(const Pass& pass) {
    std::vector<std::pair<std::uint64_t, Bytes>> changes;
    for (const Allocation& made : pass.allocations) {
      changes.emplace_back(made.begin_ns, made.size);
      changes.emplace_back(made.freed ? made.end_ns : pass.end_ns, -made.size);
    }
    std::sort(changes.begin(), changes.end());
    Bytes live = 0;
    for (const auto& [ns, change] : changes) {
      live += change;
      add(R"({{"name":"live bytes, thread {}","ph":"C","pid":{},"ts":{:.3f},"args":{{"bytes":{}}}}})",
          pass.thread, trace_.pid, micros(ns), live);
    }
  }

  void add_pass(const Pass& pass) {
    add_slice(names_[pass.name], pass.thread, pass.begin_ns, pass.end_ns);
    for (const Scope& scope : pass.scopes)
      add_slice(names_[scope.name], pass.thread, scope.begin_ns, scope.end_ns);
    for (const Allocation& made : pass.allocations) add_allocation(pass, made);
    add_live_bytes(pass);
  }

  const Trace& trace_;
  Symbolizer symbols_;
  std::vector<std::string> names_;     // JSON strings with their quotes
  std::map<Site, std::string> sites_;  // JSON strings with their quotes
  std::uint64_t origin_ = 0;
  std::string out_;
  bool first_ = true;
};

}  // namespace

std::string to_perfetto(const Trace& trace) {
  return Writer(trace).write();
}

}  // namespace memo::planner
