#include "preload/platform/elf_object.h"

#include <sys/mman.h>

#include <cstring>

#include "preload/platform/platform.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/pages.h"

namespace memo::guest {
namespace {

std::uintptr_t page_of(std::uintptr_t address) {
  return address & ~(std::uintptr_t{runtime::page_bytes()} - 1);
}

bool protect_page_of(const std::uintptr_t* word, int rights) {
  const std::uintptr_t page = page_of(reinterpret_cast<std::uintptr_t>(word));
  return mprotect(reinterpret_cast<void*>(page), runtime::page_bytes(), rights) == 0;
}

int rights_of_segment(const ElfW(Phdr) & segment) {
  return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

std::uint32_t gnu_hash(const char* name) {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

}  // namespace

ElfObject::ElfObject(const runtime::LoadedObject& info)
    : extent_(runtime::extent_of(info)), segments_(info.dlpi_phdr), segment_count_(info.dlpi_phnum) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const std::uintptr_t at = extent_.base + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) dynamic_ = reinterpret_cast<const ElfW(Dyn)*>(at);
    if (part.p_type == PT_GNU_RELRO) {
      relro_begin_ = at;
      relro_end_ = at + part.p_memsz;
    }
  }
  const bool kernels_own = info.dlpi_name != nullptr && std::strncmp(info.dlpi_name, "linux-vdso", 10) == 0;
  if (dynamic_ != nullptr && !kernels_own) read_dynamic(dynamic_);
}

// Turns an entry of the dynamic section into a pointer. The loader has already turned the entries into
// addresses, except in objects whose dynamic section it may not write.
template <typename T>
T ElfObject::pointer(ElfW(Addr) value) const {
  return reinterpret_cast<T>(value < extent_.base ? extent_.base + value : value);
}

void ElfObject::read_dynamic(const ElfW(Dyn) * entry) {
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        symbols_ = pointer<const Symbol*>(entry->d_un.d_ptr);
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

// Finds the first definition of that name that accepts() takes. The table holds the bucket count, the first
// hashed symbol, the number of bloom words and the bloom shift; then the bloom filter, the buckets, and the
// chains. The last link of a chain has its lowest bit set.
template <typename Accepts>
const ElfObject::Symbol* ElfObject::find_definition(const char* name, Accepts accepts) const {
  if (hash_ == nullptr || hash_[0] == 0) return nullptr;
  const std::uint32_t buckets = hash_[0];
  const std::uint32_t first = hash_[1];
  const std::uint32_t* bucket = hash_ + 4 + hash_[2] * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* chain = bucket + buckets;
  const std::uint32_t hash = gnu_hash(name);
  std::uint32_t at = bucket[hash % buckets];
  if (at < first) return nullptr;
  for (;; ++at) {
    const std::uint32_t link = chain[at - first];
    const Symbol& symbol = symbols_[at];
    if ((link | 1) == (hash | 1) && defines(symbol) && accepts(symbol) &&
        std::strcmp(name_of(symbol), name) == 0) {
      return &symbol;
    }
    if ((link & 1) != 0) return nullptr;
  }
}

const ElfObject::Symbol* ElfObject::find_symbol(const char* name) const {
  return find_definition(name, [](const Symbol&) { return true; });
}

std::uintptr_t ElfObject::find_function(const char* name) const {
  const Symbol* found =
      find_definition(name, [](const Symbol& symbol) { return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC; });
  return found != nullptr ? address_of(*found) : 0;
}

// Returns the rights that the loader leaves a page with: those that its segment asks for, but without writing
// on pages that only start-up was to write.
int ElfObject::rights_of(std::uintptr_t address) const {
  int rights = PROT_READ;
  for (int i = 0; i < segment_count_; ++i) {
    const ElfW(Phdr)& segment = segments_[i];
    if (segment.p_type == PT_LOAD && address - (extent_.base + segment.p_vaddr) < segment.p_memsz)
      rights = rights_of_segment(segment);
  }
  const bool closed = address >= page_of(relro_begin_) && address < page_of(relro_end_);
  return closed ? rights & ~PROT_WRITE : rights;
}

ElfObject::Words ElfObject::closed_words() const {
  constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
  return {reinterpret_cast<std::uintptr_t*>((relro_begin_ + kWord - 1) / kWord * kWord),
          reinterpret_cast<std::uintptr_t*>(relro_end_ / kWord * kWord)};
}

bool ElfObject::can_read(const void* from, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  for (int i = 0; i < segment_count_; ++i) {
    const ElfW(Phdr)& segment = segments_[i];
    const std::uintptr_t at = address - (extent_.base + segment.p_vaddr);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_R) != 0 && at < segment.p_memsz &&
        bytes <= segment.p_memsz - at) {
      return true;
    }
  }
  return false;
}

bool ElfObject::closes_pages() const {
  return page_of(relro_begin_) < page_of(relro_end_);
}

// Closing the pages is the last thing that the loader does to an object before it lets any code call it. So
// the library must not open and close such a page for one slot before that: it would close the page while the
// loader is filling in the next slot.
bool ElfObject::is_relocated() const {
  return !closes_pages() || !platform::is_writable(reinterpret_cast<const void*>(page_of(relro_begin_)));
}

// Until the loader fills it in, a slot holds 0, or an address as the linker knew it, relative to the start of
// the object.
bool ElfObject::is_filled_in(std::uintptr_t value) const {
  return value != 0 &&
         (extent_.base == 0 || value >= extent_.end - extent_.base || value < extent_.begin - extent_.base);
}

bool ElfObject::replace(std::uintptr_t* word, std::uintptr_t address) const {
  const int rights = rights_of(reinterpret_cast<std::uintptr_t>(word));
  const bool closed = (rights & PROT_WRITE) == 0;
  if (closed && !protect_page_of(word, rights | PROT_WRITE)) return false;
  __atomic_store_n(word, address, __ATOMIC_RELEASE);
  if (closed) protect_page_of(word, rights);
  return true;
}

bool in_loaded_object(std::uintptr_t address) {
  return runtime::for_each_loaded_object(
      [address](const runtime::LoadedObject& info) { return ElfObject(info).contains(address); });
}

}  // namespace memo::guest
