/* A program that is linked against the library, and so has it also where the loader ignores preloads: with raised
   privileges. Says which it has, and whether a plan is taken. The test lays traps in the environment. */
#include "hostile.h"

#include <sys/auxv.h>

#include "memomalloc/memomalloc.h"

int main(int argc, char** argv) {
  expect_right_allocator();
  memo_pass_begin(0);
  void* block = malloc(100);
  EXPECT(block != NULL);
  free(block);
  memo_pass_end();
  printf("%s %d\n", getauxval(AT_SECURE) != 0 ? "raised" : "ordinary",
         argc > 1 ? memo_plan_load(argv[1]) : 0);
  return 0;
}
