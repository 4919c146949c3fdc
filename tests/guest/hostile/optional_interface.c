/* Calls every function of memomalloc/optional.h, as a program does that runs with the library and without. Proves that
 * a call without the library does nothing, where one of memomalloc.h would end the program, and that the answers are those
 * that the header promises. Run with the library, it proves that the same calls reach it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memomalloc/optional.h"

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "optional_interface: %s\n", what);
  exit(1);
}

static void call_all(void* block) {
  struct memo_allocation allocation;
  struct memo_pass pass;
  char text[64] = "before";
  memo_try_pass_begin(1);
  memo_try_scope_begin("operator");
  free(malloc(100));
  memo_try_scope_end();
  memo_try_pass_end();
  require(memo_try_identify(block, &allocation) == 0, "a block was identified, and nothing profiles");
  require(memo_try_plan_load("/nonexistent/plan") == -1, "a plan that is not there was loaded");
  const size_t length = memo_try_stats_json(text, sizeof text);
  const size_t released = memo_try_release();
  const int is_told = memo_try_last_pass(&pass);
  if (getenv("HOSTILE_INJECTED")) return;
  require(is_told == 0, "a pass is told of without the library");
  require(length == 0 && text[0] == '\0', "there are statistics without the library");
  require(released == 0, "something was released without the library");
}

int main(void) {
  const int injected = getenv("HOSTILE_INJECTED") != NULL;
  require((memo_pass_begin != NULL) == injected, "the library is not where the test says");
  void* block = malloc(10);
  call_all(block);
  require(memo_try_stats_json(NULL, 0) == 0 || injected, "there are statistics without the library");
  free(block);
  return 0;
}
