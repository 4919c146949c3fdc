// reloader LIBRARY: loads a library with a hooked pass, runs it, unloads it, ten times, and never where it was before: what lay
// there is kept from the loader. It does not know the hooked functions itself, so that they come and go, too.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace {

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "reloader: not so: %s\n", what);
  std::exit(1);
}

void allocate_and_free() {
  void* volatile block = std::malloc(2);
  std::free(block);
}

void* base_of(const void* function) {
  Dl_info about;
  require(dladdr(function, &about) != 0, "a function's object is known");
  return about.dli_fbase;
}

void keep_from_loader(void* base) {
  void* kept = mmap(base, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  require(kept == base, "the object was unloaded");
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "the library is named");
  for (int i = 0; i < 10; ++i) {
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    require(library != nullptr, "the library can be loaded");
    allocate_and_free();  // the library is looked at once dlopen has returned
    const auto run_late = reinterpret_cast<void (*)(void (*)())>(dlsym(library, "run_late"));
    run_late(allocate_and_free);
    allocate_and_free();
    void* const bases[] = {base_of(reinterpret_cast<void*>(run_late)),
                           base_of(dlsym(library, "hooked_pass"))};
    require(dlclose(library) == 0, "the library can be closed");
    for (void* base : bases) keep_from_loader(base);
  }
}
