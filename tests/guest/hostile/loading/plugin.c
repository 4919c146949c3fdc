/* A plugin that calls the model through slots which the loader fills in, at once or at the first call. A program finds its
 * function and calls it; between two passes it allocates, as any would. */
#include <stdlib.h>

#include "functions.h"

#define DECLARE(name) int loading_##name(int value);
FUNCTIONS(DECLARE)
int loading_forward(int value);

int loading_run(int passes) {
  int value = 0;
  for (int i = 0; i < passes; ++i) {
    free(malloc(10));
    value = loading_forward(value);
  }
  return value / STEP;
}

#define CALL(name) value = loading_##name(value);
int loading_call_all(int value) {
  FUNCTIONS(CALL)
  return value;
}
