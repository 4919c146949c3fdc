#include "runtime/plan/call_sites.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/loaded_object.h"
#include "runtime/platform/loader.h"

namespace memo::runtime {
namespace {

struct Search {
  const PlanFile& file;
  std::atomic<std::uint64_t>* addresses;
  std::uint32_t found;
};

bool is_absolute(const PlanFile& file, const PlanModule& module) {
  return module.build_id_bytes == 0 && *file.text(module.path) == '\0';
}

bool is_same(const PlanFile& file, const PlanModule& module, const LoadedObject& object) {
  if (is_absolute(file, module)) return false;
  if (module.build_id_bytes == 0) return std::strcmp(file.text(module.path), path_of(object)) == 0;
  return std::ranges::equal(build_id_of(object), std::span(module.build_id, module.build_id_bytes));
}

void place_sites(const Search& search, std::uint32_t module, std::uint64_t bias) {
  for (std::size_t site = 0; site < search.file.sites().size(); ++site) {
    const PlanSite& known = search.file.sites()[site];
    if (known.module == module) search.addresses[site].store(bias + known.offset, std::memory_order_relaxed);
  }
}

void visit(Search& search, const LoadedObject& object) {
  for (std::uint32_t module = 0; module < search.file.modules().size(); ++module) {
    if (!is_same(search.file, search.file.modules()[module], object)) continue;
    place_sites(search, module, object.dlpi_addr);
    ++search.found;
  }
}

}  // namespace

std::uint32_t locate_modules(const PlanFile& file, std::atomic<std::uint64_t>* addresses) {
  for (std::size_t site = 0; site < file.sites().size(); ++site) {
    addresses[site].store(kNoSite, std::memory_order_relaxed);
  }
  Search search{.file = file, .addresses = addresses, .found = 0};
  for (std::uint32_t module = 0; module < file.modules().size(); ++module) {
    if (!is_absolute(file, file.modules()[module])) continue;
    place_sites(search, module, 0);
    ++search.found;
  }
  for_each_loaded_object([&search](const LoadedObject& object) {
    visit(search, object);
    return false;
  });
  const auto known = static_cast<std::uint32_t>(file.modules().size());
  return search.found >= known ? 0 : known - search.found;
}

}  // namespace memo::runtime
