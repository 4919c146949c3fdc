// Reads a 64-bit little-endian ELF file and checks every access against the file's size. The file is mapped,
// since the planner reads only a few hundred bytes of libraries of half a gigabyte.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/system/mapped_file.h"

namespace memo::elf {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // Returns false for a file that cannot be read or is no ELF file. All other answers are empty then.
  [[nodiscard]] bool valid() const { return header_.has_value(); }
  [[nodiscard]] std::uint16_t machine() const { return header_ ? header_->e_machine : EM_NONE; }

  // Returns the loader that the file asks for; "" for a static executable and for libraries.
  [[nodiscard]] std::string interpreter() const;

  // Returns the build-id in lower-case hexadecimal; "" where the file has none.
  [[nodiscard]] std::string build_id() const;

  // Returns true if the file has a table of all its functions, beyond those that other objects see.
  [[nodiscard]] bool has_symbol_table() const;

  // Returns true if the file defines the symbol for other objects.
  [[nodiscard]] bool exports(std::string_view name) const { return has_dynamic_symbol(name, true); }
  // Returns true if the file asks other objects for the symbol.
  [[nodiscard]] bool imports(std::string_view name) const { return has_dynamic_symbol(name, false); }

  // Returns the versions of other libraries' symbols that the file requires, such as "GLIBC_2.34".
  [[nodiscard]] std::vector<std::string> needed_versions() const;

  // Calls visit(address, bytes, name) for each function that the file defines.
  template <typename Visitor>
  void for_each_function(Visitor visit) const {
    for_each_symbol(SHT_SYMTAB, visit_functions(visit));
    for_each_symbol(SHT_DYNSYM, visit_functions(visit));
  }

  // Calls visit(name) for each function that the file defines for other objects.
  template <typename Visitor>
  void for_each_exported_function(Visitor visit) const {
    for_each_symbol(SHT_DYNSYM, [&visit](const Elf64_Sym& symbol, const std::string& name) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF) visit(name);
    });
  }

 private:
  template <typename Visitor>
  static auto visit_functions(Visitor& visit) {
    return [&visit](const Elf64_Sym& symbol, std::string name) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value != 0)
        visit(symbol.st_value, symbol.st_size, std::move(name));
    };
  }

  template <typename Visitor>
  void for_each_symbol(std::uint32_t type, Visitor visit) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != type) continue;
      for (std::uint64_t at_byte = 0; at_byte + sizeof(Elf64_Sym) <= section.sh_size;
           at_byte += sizeof(Elf64_Sym)) {
        const auto symbol = at<Elf64_Sym>(section.sh_offset + at_byte);
        if (!symbol) break;
        visit(*symbol, text(section.sh_link, symbol->st_name));
      }
    }
  }

  template <typename T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  [[nodiscard]] bool has_dynamic_symbol(std::string_view name, bool defined) const;
  [[nodiscard]] std::string text_at(std::uint64_t offset) const;
  [[nodiscard]] std::string text(std::uint32_t strings, std::uint32_t offset) const;

  std::unique_ptr<const process::MappedFile> file_;
  std::string_view bytes_;
  std::optional<Elf64_Ehdr> header_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace memo::elf
