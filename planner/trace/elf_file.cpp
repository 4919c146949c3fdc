#include "planner/trace/elf_file.h"

#include <fmt/format.h>

#include "planner/system/regular_file.h"

namespace memo::elf {
namespace {

// Returns nothing for a file that cannot be read: it counts as no ELF file.
std::unique_ptr<const process::MappedFile> map(const std::string& path) {
  try {
    return std::make_unique<const process::MappedFile>(path);
  } catch (const process::Unreadable&) {
    return nullptr;
  }
}

}  // namespace

ElfFile::ElfFile(const std::string& path) : file_(map(path)) {
  if (file_ != nullptr) bytes_ = file_->bytes();
  const auto header = at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return;
  }
  header_ = header;
  for (std::uint16_t i = 0; i < header->e_shnum; ++i) {
    if (const auto section = at<Elf64_Shdr>(header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr)))
      sections_.push_back(*section);
  }
}

std::string ElfFile::interpreter() const {
  for (std::uint16_t i = 0; header_ && i < header_->e_phnum; ++i) {
    const auto part = at<Elf64_Phdr>(header_->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (part && part->p_type == PT_INTERP) return text_at(part->p_offset);
  }
  return "";
}

std::string ElfFile::build_id() const {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_NOTE) continue;
    const auto note = at<Elf64_Nhdr>(section.sh_offset);
    if (!note || note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4) continue;
    const std::uint64_t begin = section.sh_offset + sizeof *note + 4;
    std::string id;
    for (std::uint64_t i = 0; i < note->n_descsz && begin + i < bytes_.size(); ++i) {
      id += fmt::format("{:02x}", static_cast<unsigned char>(bytes_[begin + i]));
    }
    return id;
  }
  return "";
}

bool ElfFile::has_symbol_table() const {
  for (const Elf64_Shdr& section : sections_)
    if (section.sh_type == SHT_SYMTAB) return true;
  return false;
}

bool ElfFile::has_dynamic_symbol(std::string_view name, bool defined) const {
  bool found = false;
  for_each_symbol(SHT_DYNSYM, [&](const Elf64_Sym& symbol, const std::string& its_name) {
    if ((symbol.st_shndx != SHN_UNDEF) == defined && its_name == name) found = true;
  });
  return found;
}

std::vector<std::string> ElfFile::needed_versions() const {
  std::vector<std::string> names;
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_GNU_verneed) continue;
    std::uint64_t at_need = section.sh_offset;
    for (auto need = at<Elf64_Verneed>(at_need); need; need = at<Elf64_Verneed>(at_need)) {
      std::uint64_t at_version = at_need + need->vn_aux;
      for (std::uint16_t i = 0; i < need->vn_cnt; ++i) {
        const auto version = at<Elf64_Vernaux>(at_version);
        if (!version) break;
        names.push_back(text(section.sh_link, version->vna_name));
        at_version += version->vna_next;
      }
      if (need->vn_next == 0) break;
      at_need += need->vn_next;
    }
  }
  return names;
}

std::string ElfFile::text_at(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return "";
  return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
}

std::string ElfFile::text(std::uint32_t strings, std::uint32_t offset) const {
  return strings < sections_.size() ? text_at(sections_[strings].sh_offset + offset) : "";
}

}  // namespace memo::elf
