#include "preload/keep_out.h"

#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

struct Sign {
  const char* name;
  const char* reason;
};

// Checkers first: they define malloc too, and their own name says more.
constexpr Sign kExecutableSymbols[] = {
    {"__asan_init", "it is built with AddressSanitizer"},
    {"__hwasan_init", "it is built with HWAddressSanitizer"},
    {"__msan_init", "it is built with MemorySanitizer"},
    {"__tsan_init", "it is built with ThreadSanitizer"},
    {"__lsan_init", "it is built with LeakSanitizer"},
    {"mi_version", "it brings mimalloc"},
    {"je_mallctl", "it brings jemalloc"},
    {"malloc", "it defines malloc itself"},
};

constexpr Sign kLoadedObjects[] = {
    {"/libasan.so", "the runtime of AddressSanitizer is loaded"},
    {"/libhwasan.so", "the runtime of HWAddressSanitizer is loaded"},
    {"/libtsan.so", "the runtime of ThreadSanitizer is loaded"},
    {"/liblsan.so", "the runtime of LeakSanitizer is loaded"},
    {"/libclang_rt.", "a sanitizer's runtime is loaded"},
    {"/vgpreload_", "it runs under valgrind"},
};

}  // namespace

const char* reason_to_keep_out() {
  for (const Sign& sign : kExecutableSymbols) {
    if (platform::executable_defines(sign.name)) return sign.reason;
  }
  for (const Sign& sign : kLoadedObjects) {
    if (platform::loaded_object_named(sign.name) != nullptr) return sign.reason;
  }
  return nullptr;
}

}  // namespace memo::guest
