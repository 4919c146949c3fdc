// The public functions about plans, memory and statistics (runtime/include/memomalloc/memomalloc.h).

#include "memomalloc/memomalloc.h"
#include "preload/modes/serve/serve.h"
#include "preload/modes/serve/stats_file.h"

extern "C" {

size_t memo_stats_json(char* out, size_t capacity) {
  return memo::guest::describe_statistics(out, capacity);
}

int memo_plan_load(const char* path) {
  return path != nullptr && memo::guest::load_plan(path) ? 0 : -1;
}

size_t memo_release(void) {
  return memo::guest::release_memory();
}
}
