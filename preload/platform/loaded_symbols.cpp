#include <dlfcn.h>

#include <cstring>

#include "preload/platform/elf_object.h"
#include "preload/platform/platform.h"
#include "runtime/platform/loader.h"

namespace memo::guest::platform {

namespace {

bool defines(const runtime::LoadedObject& object, const char* symbol) {
  const ElfObject elf(object);
  return elf.usable() && elf.find_symbol(symbol) != nullptr;
}

// Returns the path by which the object was loaded, "" for the executable, or null.
const char* name_of_object_at(std::uintptr_t address) {
  const char* name = nullptr;
  runtime::for_each_loaded_object([address, &name](const runtime::LoadedObject& object) {
    const bool found = ElfObject(object).contains(address);
    if (found) name = object.dlpi_name;
    return found;
  });
  return name;
}

}  // namespace

// The executable is the first object that the loader names.
bool executable_defines(const char* symbol) {
  bool found = false;
  runtime::for_each_loaded_object([symbol, &found](const runtime::LoadedObject& object) {
    found = defines(object, symbol);
    return true;
  });
  return found;
}

const char* first_object_that_defines(const char* symbol) {
  const char* path = nullptr;
  runtime::for_each_loaded_object([symbol, &path](const runtime::LoadedObject& object) {
    const bool found = defines(object, symbol);
    if (found) path = object.dlpi_name;
    return found;
  });
  return path;
}

const char* loaded_object_named(const char* part) {
  const char* path = nullptr;
  runtime::for_each_loaded_object([part, &path](const runtime::LoadedObject& object) {
    const bool named = object.dlpi_name != nullptr && std::strstr(object.dlpi_name, part) != nullptr;
    if (named) path = object.dlpi_name;
    return named;
  });
  return path;
}

void* symbol_in_loaded_library(const char* soname, const char* symbol) {
  runtime::expect_no_lock_held();
  void* library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* address = dlsym(library, symbol);
  dlclose(library);  // the library stays loaded: other code had opened it before
  return address;
}

void* load_symbol(const char* soname, const char* symbol) {
  runtime::expect_no_lock_held();
  void* library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, symbol);
}

void* first_symbol(const char* symbol) {
  runtime::expect_no_lock_held();
  return dlsym(RTLD_DEFAULT, symbol);
}

Definition first_definition(const char* symbol) {
  Definition definition;
  runtime::for_each_loaded_object([symbol, &definition](const runtime::LoadedObject& object) {
    const ElfObject elf(object);
    const ElfObject::Symbol* const found = elf.usable() ? elf.find_symbol(symbol) : nullptr;
    if (found != nullptr) definition = {elf.address_of(*found), found->st_size};
    return found != nullptr;
  });
  return definition;
}

void keep_loaded(std::uintptr_t address) {
  const char* const path = name_of_object_at(address);
  runtime::expect_no_lock_held();
  if (path != nullptr && path[0] != '\0') static_cast<void>(dlopen(path, RTLD_LAZY | RTLD_NOLOAD));
}

void* next_symbol(const char* symbol) {
  runtime::expect_no_lock_held();
  return dlsym(RTLD_NEXT, symbol);
}

}  // namespace memo::guest::platform
