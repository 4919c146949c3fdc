#include "runtime/platform/loaded_object.h"

#include <elf.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "runtime/platform/paths.h"

namespace memo::runtime {
namespace {

constexpr std::size_t pad4(std::size_t bytes) {
  return (bytes + 3) & ~std::size_t{3};
}

std::span<const std::uint8_t> build_id_in(const std::uint8_t* note, std::size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, note, sizeof head);
    const std::size_t name = sizeof head;
    const std::size_t id = name + pad4(head.n_namesz);
    const std::size_t end = id + pad4(head.n_descsz);
    if (end > bytes) break;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(note + name, "GNU", 4) == 0)
      return {note + id, head.n_descsz};
    note += end;
    bytes -= end;
  }
  return {};
}

constinit char g_program[PATH_MAX] = "";

const char* path_of_program() {
  if (g_program[0] != '\0') return g_program;
  if (!read_link("/proc/self/exe", g_program, sizeof g_program)) g_program[0] = '\0';
  return g_program;
}

}  // namespace

Extent extent_of(const LoadedObject& object) {
  Extent extent{.base = object.dlpi_addr};
  for (std::size_t index = 0; index < object.dlpi_phnum; ++index) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[index];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t at = extent.base + segment.p_vaddr;
    extent.begin = std::min(extent.begin, at);
    extent.end = std::max(extent.end, at + segment.p_memsz);
  }
  return extent;
}

std::span<const std::uint8_t> build_id_of(const LoadedObject& object) {
  for (std::size_t index = 0; index < object.dlpi_phnum; ++index) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[index];
    if (segment.p_type != PT_NOTE) continue;
    const auto* note = reinterpret_cast<const std::uint8_t*>(object.dlpi_addr + segment.p_vaddr);
    const auto id = build_id_in(note, segment.p_memsz);
    if (!id.empty()) return id;
  }
  return {};
}

const char* path_of(const LoadedObject& object) {
  const bool has_name = object.dlpi_name != nullptr && object.dlpi_name[0] != '\0';
  return has_name ? object.dlpi_name : path_of_program();
}

}  // namespace memo::runtime
