// Addresses and linker names to names people read, after the fact and in this process: the host paid for recording
// only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

// "at::_ops::conv2d::call(…)" as "aten::conv2d", any other C++ symbol demangled and without its parameters, and
// everything else as it is.
[[nodiscard]] std::string readable_name(const std::string& symbol);

// Reads the symbol tables of the trace's modules, each when it is first needed. A file that is gone or was built anew
// since (its build-id differs) resolves nothing: a wrong name would be worse.
class Symbolizer {
 public:
  explicit Symbolizer(const Trace& trace) : trace_(trace), tables_(trace.modules.size()) {}

  // The function around the site, or "libname.so+0x1234" where no symbol is known.
  [[nodiscard]] std::string name(const Site& site);

 private:
  struct Function {
    std::uint64_t begin;
    std::uint64_t end;
    std::string name;
  };
  using Table = std::vector<Function>;  // by begin

  [[nodiscard]] static Table read_table(const Module& module);
  [[nodiscard]] const Table& table(ModuleIndex module);
  [[nodiscard]] std::string fallback(const Site& site) const;

  const Trace& trace_;
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace memo::planner
