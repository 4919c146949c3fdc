// Turns addresses and linker names into names for people. This happens after the fact and in the planner's
// process: the program pays for recording only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

// Returns a name for people: "at::_ops::conv2d::call(…)" becomes "aten::conv2d", any other C++ symbol is
// demangled and loses its parameters, and everything else stays as it is. Labels that are operators lose their brackets, and
// nodes keep their types: "conv1 (Conv)".
[[nodiscard]] std::string readable_name(const std::string& symbol);

// Reads the symbol tables of the trace's modules, each when it is first needed. A file that is gone, or was
// rebuilt since (its build-id differs), resolves nothing: a wrong name would be worse than none.
class Symbolizer {
 public:
  // Below `debug_files` lie symbol tables that were taken out of their modules, as distributions lay them out:
  // .build-id/ab/cdef.debug.
  explicit Symbolizer(const Trace& trace, std::string debug_files = "/usr/lib/debug")
      : trace_(trace), debug_files_(std::move(debug_files)), tables_(trace.modules.size()) {}

  // Returns the function around the site, or "libname.so+0x1234" where no symbol is known. A function of Python is
  // "run (project/model.py:12)".
  [[nodiscard]] std::string name(const Site& site);

 private:
  struct Function {
    std::uint64_t begin;
    std::uint64_t end;
    std::string name;
  };
  using Table = std::vector<Function>;  // sorted by begin

  static void add_functions(const std::string& path, const std::string& build_id, Table& table);

  [[nodiscard]] Table read_table(const Module& module) const;
  [[nodiscard]] const Table& table(ModuleIndex module);
  [[nodiscard]] std::string python_function(const Site& site) const;
  [[nodiscard]] std::string fallback(const Site& site) const;

  const Trace& trace_;
  std::string debug_files_;
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace memo::planner
