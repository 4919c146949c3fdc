#include "preload/boundaries/elf_object.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace memo::guest {
namespace {

std::uintptr_t page_of(std::uintptr_t address) {
  return address & ~(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) - 1);
}

bool protect_slot(const std::uintptr_t* slot, int protection) {
  const std::uintptr_t page = page_of(reinterpret_cast<std::uintptr_t>(slot));
  return mprotect(reinterpret_cast<void*>(page), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
                  protection) == 0;
}

std::uint32_t gnu_hash(const char* name) {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

}  // namespace

ElfObject::ElfObject(const dl_phdr_info& info) : base_(info.dlpi_addr) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const std::uintptr_t at = base_ + part.p_vaddr;
    if (part.p_type == PT_LOAD) {
      begin_ = at < begin_ ? at : begin_;
      end_ = at + part.p_memsz > end_ ? at + part.p_memsz : end_;
    }
    if (part.p_type == PT_DYNAMIC) dynamic_ = reinterpret_cast<const ElfW(Dyn)*>(at);
    if (part.p_type == PT_GNU_RELRO) {
      relro_begin_ = at;
      relro_end_ = at + part.p_memsz;
    }
  }
  const bool kernels_own = info.dlpi_name != nullptr && std::strncmp(info.dlpi_name, "linux-vdso", 10) == 0;
  if (dynamic_ != nullptr && !kernels_own) read_dynamic(dynamic_);
}

// The loader has already turned these into addresses, except in objects whose dynamic section it may not write.
template <typename T>
T ElfObject::pointer(ElfW(Addr) value) const {
  return reinterpret_cast<T>(value < base_ ? base_ + value : value);
}

void ElfObject::read_dynamic(const ElfW(Dyn) * entry) {
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        symbols_ = pointer<const ElfW(Sym)*>(entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        strings_ = pointer<const char*>(entry->d_un.d_ptr);
        break;
      case DT_GNU_HASH:
        hash_ = pointer<const std::uint32_t*>(entry->d_un.d_ptr);
        break;
      case DT_JMPREL:
        plt_relocations_ = pointer<const ElfW(Rela)*>(entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        plt_count_ = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      case DT_RELA:
        relocations_ = pointer<const ElfW(Rela)*>(entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        relocation_count_ = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      default:
        break;
    }
  }
}

// The table: bucket count, first hashed symbol, bloom words, bloom shift; bloom filter; buckets; chains, whose last
// link has the lowest bit set.
std::uintptr_t ElfObject::find_function(const char* name) const {
  if (hash_ == nullptr || hash_[0] == 0) return 0;
  const std::uint32_t buckets = hash_[0];
  const std::uint32_t first = hash_[1];
  const std::uint32_t* bucket = hash_ + 4 + hash_[2] * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* chain = bucket + buckets;
  const std::uint32_t hash = gnu_hash(name);
  std::uint32_t at = bucket[hash % buckets];
  if (at < first) return 0;
  for (;; ++at) {
    const std::uint32_t link = chain[at - first];
    const ElfW(Sym)& symbol = symbols_[at];
    if ((link | 1) == (hash | 1) && defines(symbol) && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        std::strcmp(name_of(symbol), name) == 0) {
      return address_of(symbol);
    }
    if ((link & 1) != 0) return 0;
  }
}

bool ElfObject::is_read_only_after_start(std::uintptr_t slot) const {
  return slot >= page_of(relro_begin_) && slot < page_of(relro_end_);
}

bool ElfObject::open_for_writing(const std::uintptr_t* slot) const {
  if (!is_read_only_after_start(reinterpret_cast<std::uintptr_t>(slot))) return true;
  return protect_slot(slot, PROT_READ | PROT_WRITE);
}

void ElfObject::close_for_writing(const std::uintptr_t* slot) const {
  if (is_read_only_after_start(reinterpret_cast<std::uintptr_t>(slot))) protect_slot(slot, PROT_READ);
}

}  // namespace memo::guest
