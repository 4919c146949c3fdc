/* The public interface of MemoMalloc.
 *
 * Tell the library where a pass begins and ends, and which operator is at work. Every function is weak: a
 * program that calls them runs unchanged where the library is not loaded, as long as it tests a symbol before
 * it calls it
 * (`if (memo_pass_begin) memo_pass_begin(0);`). The functions of optional.h do that.
 * All are safe from any thread; a pass belongs to the thread that began it. */
#ifndef MEMOMALLOC_MEMOMALLOC_H
#define MEMOMALLOC_MEMOMALLOC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MEMO_API
#define MEMO_API __attribute__((weak, visibility("default")))
#endif

/* An allocation, as the profiler knows it. */
struct memo_allocation {
  uint64_t tagged;   /* tag << 48 | address: names this allocation even after its address was used again */
  void* address;     /* where its first byte lies, as malloc returned it */
  size_t size;       /* bytes asked for */
  uint64_t pass;     /* number of the pass that made it, 0 outside passes */
  const char* scope; /* operator that made it, NULL where unknown */
};

/* What a pass took. Where is_counted is 0, nobody saw its blocks, since serving stands aside for it, or there is no plan for it: the
 * figures are then those of the last pass of its kind whose blocks were seen. at_most_bytes is what it held at once: as high as the plan
 * lays it out, and all that it took from the heap. served_bytes are those that were asked for. */
struct memo_pass {
  uint64_t at_most_bytes;
  uint64_t served_blocks;
  uint64_t served_bytes;
  uint64_t heap_blocks;
  uint64_t heap_bytes;
  uint64_t is_counted;
};

/* A pass is one forward run on the calling thread. `key` tells shapes apart: passes of one key are expected
 * to allocate alike; use 0 where there is nothing to tell. Returns 0 while serving stands aside for passes of this
 * key, which are then as well left unmarked for some minutes, and 1 otherwise. */
MEMO_API int memo_pass_begin(uint64_t key);
MEMO_API void memo_pass_end(void);

/* A scope is one operator inside a pass; scopes nest. `name` must stay readable until the scope ends. */
MEMO_API void memo_scope_begin(const char* name);
MEMO_API void memo_scope_end(void);

/* Finds the live allocation that `pointer` points into. Returns 1 and fills in *out, or returns 0. Answers only
 * while the library profiles. */
MEMO_API int memo_identify(const void* pointer, struct memo_allocation* out);

/* Says that an operator of the running pass has ended, and which allocations it read and wrote: those that these
 * pointers point into, first the `reads` that it read, then the `writes` that it wrote. An operator that changes an
 * allocation has it in both. The pointers of a view lead to the allocation that it is a view of. Call this while the
 * blocks are still alive. Recorded only by `memomalloc profile --data-flow`. */
MEMO_API void memo_data_flow(const char* operation, const void* const* blocks, size_t reads, size_t writes);

/* Writes the statistics as a JSON object, NUL-terminated and cut to `capacity`; returns the length it needs.
 */
MEMO_API size_t memo_stats_json(char* out, size_t capacity);

/* Tells what the last pass of the calling thread took, without what other threads took for it. Returns 1 and fills in *out, or
 * returns 0 where no pass of the thread has ended, inside one, and while the library records. */
MEMO_API int memo_last_pass(struct memo_pass* out);

/* Serves from the plan in `path` from the next pass on. Returns 0, or -1 if the plan cannot be used (the old
 * one stays). */
MEMO_API int memo_plan_load(const char* path);

/* Gives memory that nothing uses back to the system: the pages of lanes on which no pass runs, and what lies idle in
 * the heap. Returns how many bytes that were. For a program that knows when it is idle: the passes after it touch
 * these pages anew. */
MEMO_API size_t memo_release(void);

/* Says that Python runs in this process (1), or is about to end (0). In between, recorded call stacks show the functions of
 * Python of threads that have given its lock up, too. Python's bootstrap calls it; a program that has Python within may call it
 * after Py_Initialize and before Py_Finalize. */
MEMO_API void memo_python_runs(int runs);

#ifdef __cplusplus
}
#endif

#endif
