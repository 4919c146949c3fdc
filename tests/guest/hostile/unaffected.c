/* Allocates a little and says so; with an argument it reads one byte too far, for a checker to find. Built in
 * ways the library cannot or must not enter: statically, with AddressSanitizer, against musl, with raised
 * privileges. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  (void)argv;
  /* Makes malloc a stub of the program where it has a fixed address. */
  void* (*volatile allocate)(size_t) = malloc;
  char* volatile text = allocate(100);
  if (text == NULL) return 1;
  snprintf(text, 100, "%d", 42);
  if (argc > 1) text[1] = text[100] == 0 ? '2' : '3';
  puts(text);
  free(text);
  return 0;
}
