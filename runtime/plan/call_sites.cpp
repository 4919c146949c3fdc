#include "runtime/plan/call_sites.h"

#include <elf.h>

#include <cstring>
#include <span>

#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/loader.h"

namespace memo::runtime {
namespace {

using BuildId = std::span<const std::uint8_t>;

constexpr std::size_t pad4(std::size_t bytes) {
  return (bytes + 3) & ~std::size_t{3};
}

BuildId build_id_in(const std::uint8_t* note, std::size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, note, sizeof head);
    const std::size_t name = sizeof head;
    const std::size_t id = name + pad4(head.n_namesz);
    const std::size_t end = id + pad4(head.n_descsz);
    if (end > bytes) break;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(note + name, "GNU", 4) == 0) {
      return {note + id, head.n_descsz};
    }
    note += end;
    bytes -= end;
  }
  return {};
}

BuildId build_id_of(const dl_phdr_info& object) {
  for (std::size_t index = 0; index < object.dlpi_phnum; ++index) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[index];
    if (segment.p_type != PT_NOTE) continue;
    const auto* note = reinterpret_cast<const std::uint8_t*>(object.dlpi_addr + segment.p_vaddr);
    const BuildId id = build_id_in(note, segment.p_memsz);
    if (!id.empty()) return id;
  }
  return {};
}

struct Search {
  const PlanFile& file;
  std::atomic<std::uint64_t>* addresses;
  std::uint32_t found;
};

bool is_absolute(const PlanFile& file, const PlanModule& module) {
  return module.build_id_bytes == 0 && *file.text(module.path) == '\0';
}

bool is_same(const PlanFile& file, const PlanModule& module, const dl_phdr_info& object, BuildId id) {
  if (is_absolute(file, module)) return false;
  if (module.build_id_bytes == 0) return std::strcmp(file.text(module.path), object.dlpi_name) == 0;
  return id.size() == module.build_id_bytes && std::memcmp(id.data(), module.build_id, id.size()) == 0;
}

void place_sites(const Search& search, std::uint32_t module, std::uint64_t bias) {
  for (std::size_t site = 0; site < search.file.sites().size(); ++site) {
    const PlanSite& known = search.file.sites()[site];
    if (known.module == module) search.addresses[site].store(bias + known.offset, std::memory_order_relaxed);
  }
}

void visit(Search& search, const dl_phdr_info& object) {
  const BuildId id = build_id_of(object);
  for (std::uint32_t module = 0; module < search.file.modules().size(); ++module) {
    if (!is_same(search.file, search.file.modules()[module], object, id)) continue;
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
  for_each_loaded_object([&search](const dl_phdr_info& object) {
    visit(search, object);
    return false;
  });
  const auto known = static_cast<std::uint32_t>(file.modules().size());
  return search.found >= known ? 0 : known - search.found;
}

}  // namespace memo::runtime
