/* A program that marks its passes, as its author would write it. */
#include <memomalloc/memomalloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  if (memo_pass_begin) memo_pass_begin(0);
  free(malloc(100));
  if (memo_pass_end) memo_pass_end();
  puts(memo_pass_begin ? "with memomalloc" : "without memomalloc");
  return 0;
}
