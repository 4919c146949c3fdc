// A loaded object as its dynamic section describes it: what it calls and what it defines.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>

#include "runtime/platform/loaded_object.h"

namespace memo::guest {

class ElfObject {
 public:
  using Symbol = ElfW(Sym);

  explicit ElfObject(const runtime::LoadedObject& info);

  // Returns false for an object that the library does not hook: the kernel's own, and those without a dynamic
  // section.
  [[nodiscard]] bool usable() const { return symbols_ != nullptr && strings_ != nullptr; }
  [[nodiscard]] bool contains(std::uintptr_t address) const {
    return address - extent_.begin < extent_.end - extent_.begin;
  }
  [[nodiscard]] std::uintptr_t begin() const { return extent_.begin; }
  [[nodiscard]] std::uintptr_t base() const { return extent_.base; }
  [[nodiscard]] const void* dynamic() const { return dynamic_; }

  // is_relocated() returns true if the loader has filled in every slot but those that it binds at their first
  // call, and has closed the pages that it closes. It returns false as long as the loader may still be
  // working on the object. Where the object closes no pages it returns true, and is_filled_in() tells for
  // each slot.
  [[nodiscard]] bool is_relocated() const;
  [[nodiscard]] bool is_filled_in(std::uintptr_t value) const;

  // Calls visit(slot, symbol) for each slot that holds the address of a named symbol.
  template <typename Visitor>
  void for_each_slot(Visitor visit) const {
    visit_relocations(plt_relocations_, plt_count_, visit);
    visit_relocations(relocations_, relocation_count_, visit);
  }

  [[nodiscard]] const char* name_of(const Symbol& symbol) const { return strings_ + symbol.st_name; }
  [[nodiscard]] bool defines(const Symbol& symbol) const { return symbol.st_shndx != SHN_UNDEF; }
  [[nodiscard]] std::uintptr_t address_of(const Symbol& symbol) const {
    return extent_.base + symbol.st_value;
  }

  // Returns the object's own definition of a symbol that others may use, or null.
  [[nodiscard]] const Symbol* find_symbol(const char* name) const;

  // Returns the address of the object's own definition of a function that others may call, or 0.
  [[nodiscard]] std::uintptr_t find_function(const char* name) const;

  // The words that the loader fills in and then closes.
  struct Words {
    std::uintptr_t* begin;
    std::uintptr_t* end;
    // Returns true if `count` of the words begin there.
    [[nodiscard]] bool hold(const void* at, std::size_t count) const {
      const auto address = reinterpret_cast<std::uintptr_t>(at);
      const auto first = reinterpret_cast<std::uintptr_t>(begin);
      const auto last = reinterpret_cast<std::uintptr_t>(end);
      return address % sizeof *begin == 0 && address >= first && address <= last &&
             count <= (last - address) / sizeof *begin;
    }
  };
  [[nodiscard]] Words closed_words() const;

  // Returns true if a segment that can be read has all these bytes.
  [[nodiscard]] bool can_read(const void* from, std::size_t bytes) const;

  // Stores the address in a word of the object. Makes the word's page writable for that where the loader has
  // closed it. Returns false where the kernel refuses.
  bool replace(std::uintptr_t* word, std::uintptr_t address) const;

 private:
  static constexpr bool is_slot(std::uint64_t type) {
#if defined(__x86_64__)
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#endif
  }

  template <typename Visitor>
  void visit_relocations(const ElfW(Rela) * table, std::size_t count, Visitor& visit) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_slot(ELF64_R_TYPE(table[i].r_info))) continue;
      const Symbol& symbol = symbols_[ELF64_R_SYM(table[i].r_info)];
      const unsigned char type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_name == 0 || (type != STT_FUNC && type != STT_NOTYPE)) continue;
      visit(reinterpret_cast<std::uintptr_t*>(extent_.base + table[i].r_offset), symbol);
    }
  }

  template <typename Accepts>
  [[nodiscard]] const Symbol* find_definition(const char* name, Accepts accepts) const;
  void read_dynamic(const ElfW(Dyn) * entry);
  template <typename T>
  [[nodiscard]] T pointer(ElfW(Addr) value) const;
  [[nodiscard]] int rights_of(std::uintptr_t address) const;
  [[nodiscard]] bool closes_pages() const;

  runtime::Extent extent_;
  const ElfW(Phdr) * segments_;
  int segment_count_;
  std::uintptr_t relro_begin_ = 0;
  std::uintptr_t relro_end_ = 0;
  const ElfW(Dyn) * dynamic_ = nullptr;
  const Symbol* symbols_ = nullptr;
  const char* strings_ = nullptr;
  const std::uint32_t* hash_ = nullptr;
  const ElfW(Rela) * plt_relocations_ = nullptr;
  const ElfW(Rela) * relocations_ = nullptr;
  std::size_t plt_count_ = 0;
  std::size_t relocation_count_ = 0;
};

// Returns true if an object that is loaded now contains the address.
[[nodiscard]] bool in_loaded_object(std::uintptr_t address);

}  // namespace memo::guest
