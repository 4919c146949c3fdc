#include "planner/trace/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace memo::planner {
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

// Written out, its template arguments say nothing and hide the rest.
std::string with_short_string(std::string name) {
  static constexpr std::string_view kLong =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at = name.find(kLong); at != std::string::npos; at = name.find(kLong, at)) {
    name.replace(at, kLong.size(), "std::string");
  }
  return name;
}

// Up to the parenthesis that opens the parameters: the first one outside angle brackets that is not part of
// "operator()" or "(anonymous namespace)".
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

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
}

// A 64-bit little-endian ELF file, every access checked against its size.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64) {
      return;
    }
    for (std::uint16_t i = 0; i < header->e_shnum; ++i) {
      if (const auto section = at<Elf64_Shdr>(header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr))) {
        sections_.push_back(*section);
      }
    }
  }

  template <typename Visitor>
  void for_each_function(Visitor visit) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
      for (std::uint64_t at_byte = 0; at_byte + sizeof(Elf64_Sym) <= section.sh_size;
           at_byte += sizeof(Elf64_Sym)) {
        const auto symbol = at<Elf64_Sym>(section.sh_offset + at_byte);
        if (!symbol) break;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value != 0) {
          visit(symbol->st_value, symbol->st_size, text(section.sh_link, symbol->st_name));
        }
      }
    }
  }

  [[nodiscard]] std::string build_id() const {
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

 private:
  template <typename T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  [[nodiscard]] std::string text(std::uint32_t strings, std::uint32_t offset) const {
    if (strings >= sections_.size()) return "";
    const std::uint64_t begin = sections_[strings].sh_offset + offset;
    if (begin >= bytes_.size()) return "";
    return {bytes_.data() + begin, strnlen(bytes_.data() + begin, bytes_.size() - begin)};
  }

  std::string bytes_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

std::string readable_name(const std::string& symbol) {
  static constexpr std::string_view kOperators = "at::_ops::";
  static constexpr std::string_view kCall = "::call";
  const std::string name = with_short_string(without_parameters(demangled(symbol)));
  if (name.starts_with(kOperators) && name.ends_with(kCall)) {
    return "aten::" + name.substr(kOperators.size(), name.size() - kOperators.size() - kCall.size());
  }
  return name;
}

Symbolizer::Table Symbolizer::read_table(const Module& module) {
  const ElfFile file(module.path);
  Table table;
  if (file.build_id() != module.build_id) return table;
  file.for_each_function([&table](std::uint64_t begin, std::uint64_t size, std::string name) {
    table.push_back({begin, begin + std::max<std::uint64_t>(size, 1), std::move(name)});
  });
  std::sort(table.begin(), table.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
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

std::string Symbolizer::name(const Site& site) {
  if (site.module >= tables_.size()) return fallback(site);
  // The byte before the return address belongs to the call.
  const std::uint64_t call = site.offset - 1;
  const Table& functions = table(site.module);
  const auto after = std::upper_bound(functions.begin(), functions.end(), call,
                                      [](std::uint64_t at, const Function& one) { return at < one.begin; });
  if (after == functions.begin() || call >= std::prev(after)->end) return fallback(site);
  return readable_name(std::prev(after)->name);
}

}  // namespace memo::planner
