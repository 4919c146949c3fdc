// Names call sites in the form in which a reader finds them again: "function in libname.so+0x1234".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/trace/symbols.h"

namespace memo::planner {

// Looks each site up once, because symbol tables are large, and thousands of buffers share a few hundred sites.
class CallSites {
 public:
  explicit CallSites(std::vector<Module> modules) : trace_{.modules = std::move(modules)}, symbols_(trace_) {}
  CallSites(const CallSites&) = delete;
  CallSites& operator=(const CallSites&) = delete;

  [[nodiscard]] const std::string& name(const Site& site);

 private:
  Trace trace_;  // holds only the modules, since the symbolizer reads nothing else
  Symbolizer symbols_;
  std::map<Site, std::string> names_;
};

}  // namespace memo::planner
