#include "preload/start/incompatible.h"

#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

struct Sign {
  const char* name;
  const char* reason;
};

// Symbols of the executable. Its definitions come before those of any library, so hardly a call reaches this
// one. Checkers stand first: they define malloc too, and their own name says more.
constexpr Sign kInExecutable[] = {
    {"__asan_init", "it is built with AddressSanitizer"},
    {"__hwasan_init", "it is built with HWAddressSanitizer"},
    {"__msan_init", "it is built with MemorySanitizer"},
    {"__tsan_init", "it is built with ThreadSanitizer"},
    {"__lsan_init", "it is built with LeakSanitizer"},
    {"mi_version", "it brings mimalloc"},
    {"je_mallctl", "it brings jemalloc"},
    {"malloc", "it defines malloc itself"},
};

// The reason for valgrind's tools that replace malloc. Tools that only count (callgrind, cachegrind, lackey)
// may see the library as it is.
constexpr const char* kValgrind = "it runs under valgrind";

// Parts of the paths of loaded libraries. They are loaded after this library, which thus stands in front of
// their malloc.
constexpr Sign kAmongLibraries[] = {
    {"/libasan.so", "the runtime of AddressSanitizer is loaded"},
    {"/libhwasan.so", "the runtime of HWAddressSanitizer is loaded"},
    {"/libtsan.so", "the runtime of ThreadSanitizer is loaded"},
    {"/liblsan.so", "the runtime of LeakSanitizer is loaded"},
    {"/libclang_rt.", "a sanitizer's runtime is loaded"},
    {"/vgpreload_memcheck", kValgrind},
    {"/vgpreload_helgrind", kValgrind},
    {"/vgpreload_drd", kValgrind},
    {"/vgpreload_dhat", kValgrind},
    {"/vgpreload_massif", kValgrind},
};

}  // namespace

KeepOut look_for_reason_to_keep_out() {
  for (const Sign& sign : kInExecutable) {
    if (platform::executable_defines(sign.name)) return {sign.reason, false};
  }
  for (const Sign& sign : kAmongLibraries) {
    if (platform::loaded_object_named(sign.name) != nullptr) return {sign.reason, true};
  }
  return {nullptr, false};
}

}  // namespace memo::guest
