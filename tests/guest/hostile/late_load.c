/* The library opened late instead of preloaded, as a plugin or a Python module might. The loader has too
 * little room left for its thread-local storage and must refuse with a message, without harm to the program.
 * argv[1] is the library. Failure: a crash, or a half-loaded allocator. */
#include "hostile.h"

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  void* library = dlopen(argv[1], RTLD_NOW);
  EXPECT(library == NULL);
  EXPECT(strstr(dlerror(), "static TLS") != NULL);
  free(malloc(100));
  return 0;
}
