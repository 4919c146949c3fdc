/* The public interface for programs that run with and without the library.
 *
 * The functions of memomalloc.h are weak: without the library they are null, and a call of one that nobody tested
 * ends the program. Each function here tests first, and does nothing where the library is not loaded. So the
 * library can be taken away at any time, and the program stays as it is. */
#ifndef MEMOMALLOC_OPTIONAL_H
#define MEMOMALLOC_OPTIONAL_H

#include "memomalloc.h"

static inline void memo_try_pass_begin(uint64_t key) {
  if (memo_pass_begin) memo_pass_begin(key);
}

static inline void memo_try_pass_end(void) {
  if (memo_pass_end) memo_pass_end();
}

static inline void memo_try_scope_begin(const char* name) {
  if (memo_scope_begin) memo_scope_begin(name);
}

static inline void memo_try_scope_end(void) {
  if (memo_scope_end) memo_scope_end();
}

/* Returns 0 without the library, as for a pointer that it does not know. */
static inline int memo_try_identify(const void* pointer, struct memo_allocation* out) {
  return memo_identify ? memo_identify(pointer, out) : 0;
}

static inline void memo_try_data_flow(const char* operation, const void* const* blocks, size_t reads,
                                      size_t writes) {
  if (memo_data_flow) memo_data_flow(operation, blocks, reads, writes);
}

/* Returns 0 and writes an empty text without the library. */
static inline size_t memo_try_stats_json(char* out, size_t capacity) {
  if (memo_stats_json) return memo_stats_json(out, capacity);
  if (capacity > 0) out[0] = '\0';
  return 0;
}

/* Returns 0 without the library, as where no pass has ended. */
static inline int memo_try_last_pass(struct memo_pass* out) {
  return memo_last_pass ? memo_last_pass(out) : 0;
}

/* Returns -1 without the library, as for a plan that cannot be used. */
static inline int memo_try_plan_load(const char* path) {
  return memo_plan_load ? memo_plan_load(path) : -1;
}

/* Returns 0 without the library, as where nothing was idle. */
static inline size_t memo_try_release(void) {
  return memo_release ? memo_release() : 0;
}

static inline void memo_try_python_runs(int runs) {
  if (memo_python_runs) memo_python_runs(runs);
}

#endif
