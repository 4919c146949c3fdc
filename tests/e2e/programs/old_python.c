/* Looks like a Python before 3.11 from outside: has its evaluator, and no word of its version. Allocates in a pass. */
#include <stdlib.h>

#include "memomalloc/memomalloc.h"

static void* volatile block; /* keeps the compiler from leaving the allocation out */

void _PyEval_EvalFrameDefault(void) {
  block = malloc(1000);
  free(block);
}

int main(void) {
  if (memo_pass_begin != NULL) memo_pass_begin(1);
  _PyEval_EvalFrameDefault();
  if (memo_pass_end != NULL) memo_pass_end();
  return 0;
}
