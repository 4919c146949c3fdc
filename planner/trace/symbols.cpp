#include "planner/trace/symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "planner/system/base_name.h"
#include "planner/trace/elf_file.h"
#include "planner/trace/labels.h"

namespace memo::planner {
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

// Shortens std::string: its written-out template arguments say nothing and hide the rest.
std::string with_short_string(std::string name) {
  static constexpr std::string_view kLong =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at = name.find(kLong); at != std::string::npos; at = name.find(kLong, at)) {
    name.replace(at, kLong.size(), "std::string");
  }
  return name;
}

// Cuts the name at the parenthesis that opens the parameters: the first one outside angle brackets that is not
// part of "operator()" or "(anonymous namespace)".
std::string without_parameters(const std::string& name) {
  static constexpr std::string_view kAnonymous = "(anonymous namespace)";
  static constexpr std::string_view kCall = "operator()";
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = std::string_view(name).substr(i);
    if (rest.starts_with(kCall)) {
      i += kCall.size() - 1;
    } else if (rest.starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (rest.starts_with('<')) {
      ++depth;
    } else if (rest.starts_with('>')) {
      --depth;
    } else if (rest.starts_with('(') && depth <= 0) {
      return name.substr(0, i);
    }
  }
  return name;
}

// Leaves the file and its folder of the path in "run (/srv/project/model.py:12)".
std::string with_short_path(const std::string& function) {
  static constexpr std::string_view kBefore = " (";
  const std::size_t before = function.rfind(kBefore);
  if (before == std::string::npos) return function;
  const std::size_t path = before + kBefore.size();
  const std::size_t file = function.rfind('/');
  if (file == std::string::npos || file <= path) return function;
  const std::size_t folder = function.rfind('/', file - 1);
  return folder == std::string::npos || folder < path
             ? function
             : function.substr(0, path) + function.substr(folder + 1);
}

}  // namespace

std::string readable_name(const std::string& symbol) {
  if (names_operator(symbol)) {
    const std::string in_brackets = symbol.substr(1, symbol.size() - 2);
    return names_node(symbol) ? in_brackets : readable_name(in_brackets);
  }
  static constexpr std::string_view kOperators = "at::_ops::";
  static constexpr std::string_view kCall = "::call";
  // The version of a symbol, as in __libc_start_main@@GLIBC_2.34, says nothing here.
  std::string name = with_short_string(without_parameters(demangled(symbol.substr(0, symbol.find("@@")))));
  if (name.starts_with(kOperators) && name.ends_with(kCall)) {
    return "aten::" + name.substr(kOperators.size(), name.size() - kOperators.size() - kCall.size());
  }
  return name;
}

void Symbolizer::add_functions(const std::string& path, const std::string& build_id, Table& table) {
  const elf::ElfFile file(path);
  if (file.build_id() != build_id) return;
  file.for_each_function([&table](std::uint64_t begin, std::uint64_t size, std::string name) {
    table.push_back({begin, begin + std::max<std::uint64_t>(size, 1), std::move(name)});
  });
}

Symbolizer::Table Symbolizer::read_table(const Module& module) const {
  Table table;
  add_functions(module.path, module.build_id, table);
  if (module.build_id.size() > 2)
    add_functions(fmt::format("{}/.build-id/{}/{}.debug", debug_files_, module.build_id.substr(0, 2),
                              module.build_id.substr(2)),
                  module.build_id, table);
  // Of several names for one address, the one that covers most comes last, and is found.
  std::ranges::sort(table, {}, [](const Function& one) { return std::pair(one.begin, one.end); });
  return table;
}

const Symbolizer::Table& Symbolizer::table(ModuleIndex module) {
  std::unique_ptr<Table>& known = tables_[module];
  if (known == nullptr) known = std::make_unique<Table>(read_table(trace_.modules[module]));
  return *known;
}

std::string Symbolizer::fallback(const Site& site) const {
  if (site.module >= trace_.modules.size()) return fmt::format("{:#x}", site.offset);
  return fmt::format("{}+{:#x}", base_name(trace_.modules[site.module].path), site.offset);
}

std::string Symbolizer::python_function(const Site& site) const {
  return site.offset < trace_.functions.size() ? with_short_path(trace_.functions[site.offset]) : "?";
}

std::string Symbolizer::name(const Site& site) {
  if (site.module == kPythonModule) return python_function(site);
  if (site.module >= tables_.size()) return fallback(site);
  // The return address lies after the call, so the byte before it belongs to the call.
  const std::uint64_t call = site.offset - 1;
  const Table& functions = table(site.module);
  const auto after = std::upper_bound(functions.begin(), functions.end(), call,
                                      [](std::uint64_t at, const Function& one) { return at < one.begin; });
  if (after == functions.begin() || call >= std::prev(after)->end) return fallback(site);
  return readable_name(std::prev(after)->name);
}

}  // namespace memo::planner
