/* A program of a few passes, for the tests of the command. What it is to do wrong, they define. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memomalloc/memomalloc.h"

#ifndef PASSES
#define PASSES 20 /* 0: the same work, and nobody is told */
#endif
#ifndef ROUNDS
#define ROUNDS (PASSES != 0 ? PASSES : 20)
#endif
#ifndef STEPS
#define STEPS 0 /* more blocks in each pass, of several sizes */
#endif
#ifndef BYTES
#define BYTES 5000
#endif
#ifndef PAUSE
#define PAUSE 0 /* microseconds behind each pass */
#endif
#ifndef STATUS
#define STATUS 0
#endif

#ifdef OWN_MALLOC
void* malloc(size_t size) {
  static char heap[1 << 20];
  static size_t used;
  return size != 0 ? heap + (used += 4096) : heap;
}
void free(void* block) {
  (void)block;
}
#endif

#ifdef KEEPS /* a library's function, called in each pass */
void* KEEPS(void);
#endif

#ifdef OWN_INTERFACE
void* mi_malloc(size_t size);
#define malloc mi_malloc
#endif

/* The argument is a library to open. */
int main(int count, char** words) {
  if (count > 1) dlopen(words[1], RTLD_NOW | RTLD_DEEPBIND);
  for (int i = 0; i < ROUNDS; ++i) {
    if (PASSES != 0 && memo_pass_begin != 0) memo_pass_begin(1);
    void* volatile block = malloc(BYTES);
    memset(block, i, BYTES);
    for (int step = 0; step < STEPS; ++step) {
      void* volatile more = malloc((size_t)64 << step % 8);
      free(more);
    }
    free(block);
#ifdef KEEPS
    KEEPS();
#endif
    if (PASSES != 0 && memo_pass_end != 0) memo_pass_end();
    usleep(PAUSE);
  }
  return STATUS;
}
