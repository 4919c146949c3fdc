/* Libraries opened and closed while the program runs. Blocks cross their borders in both directions and
 * outlive them. RTLD_DEEPBIND makes a library look up malloc in its own dependencies before what is
 * preloaded: its blocks would come from one heap and go back to another. A library's own dlopen uses that
 * library's RUNPATH, so whoever stands before dlopen must not become its caller. argv[1] is the plugin.
 * Failure: a crash, or a library not found. */
#include "hostile.h"

typedef char* Allocate(size_t size);
typedef void Release(void* block);
typedef void* Open(const char* name);

static void* open_plugin(const char* path, int flags) {
  void* plugin = dlopen(path, RTLD_NOW | flags);
  if (plugin == NULL) fprintf(stderr, "%s\n", dlerror());
  EXPECT(plugin != NULL);
  return plugin;
}

static void exchange_blocks(const char* path, int flags) {
  void* plugin = open_plugin(path, flags);
  Allocate* allocate = (Allocate*)dlsym(plugin, "plugin_allocate");
  Release* release = (Release*)dlsym(plugin, "plugin_release");
  char* theirs = allocate(500);
  char* outlives = allocate(600);
  char* ours = malloc(700);
  fill(outlives, 600, 8);
  free(realloc(theirs, 5000));
  release(ours);
  release(NULL);
  EXPECT(dlclose(plugin) == 0);
  EXPECT(is_filled(outlives, 600, 8));
  free(outlives);
}

static void runpath_of_the_caller(const char* path) {
  void* plugin = open_plugin(path, RTLD_LOCAL);
  Open* open_from_plugin = (Open*)dlsym(plugin, "plugin_open");
  void* inner = open_from_plugin("libhostile_inner.so");
  EXPECT(inner != NULL);
  EXPECT(((int (*)(void))dlsym(inner, "plugin_inner"))() == 42);
  EXPECT(dlopen("libhostile_inner_that_is_not.so", RTLD_NOW) == NULL);
  EXPECT(dlerror() != NULL);
  dlclose(inner);
  dlclose(plugin);
}

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  expect_right_allocator();
  for (int i = 0; i < 20; ++i) {
    exchange_blocks(argv[1], RTLD_LOCAL);
    exchange_blocks(argv[1], RTLD_GLOBAL);
  }
  if (getenv("HOSTILE_INJECTED") != NULL) exchange_blocks(argv[1], RTLD_DEEPBIND);
  runpath_of_the_caller(argv[1]);
  void* self = dlopen(NULL, RTLD_NOW);
  EXPECT(self != NULL && dlsym(self, "malloc") != NULL);
  return 0;
}
