/* A library for dynamic_loading.c to open and close. It allocates when it is loaded and frees when it is
 * unloaded, and says where what it opens itself is found: in its own RUNPATH. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static char* kept;

__attribute__((constructor)) static void loaded(void) {
  kept = malloc(300);
  memset(kept, 'k', 300);
}

__attribute__((destructor)) static void unloaded(void) {
  free(kept);
}

char* plugin_allocate(size_t size) {
  return malloc(size);
}
void plugin_release(void* block) {
  free(block);
}
void* plugin_open(const char* name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}
