/* The library behind the plugins: one pass of it allocates, and it has a great many other functions. It comes in several
 * kinds with the same names in them, which count in steps of their own: whoever calls another one's gets a wrong sum. */
#include <stdlib.h>
#include <string.h>

#include "functions.h"

#define DEFINE(name)              \
  int loading_##name(int value) { \
    return value + 1;             \
  }
FUNCTIONS(DEFINE)

int loading_forward(int value) {
  void* blocks[10];
  for (int i = 0; i < 10; ++i) blocks[i] = memset(malloc(100 + 50 * (size_t)i), value, 100);
  for (int i = 0; i < 10; ++i) free(blocks[i]);
  return value + STEP;
}
