// The public functions about plans, memory and statistics (runtime/include/memomalloc/memomalloc.h).

#include "memomalloc/memomalloc.h"
#include "preload/boundaries/ended_frames.h"
#include "preload/modes/serve/serve.h"
#include "preload/modes/serve/stats_file.h"
#include "runtime/pass/last_pass.h"

namespace {

memo_pass public_form(const memo::runtime::LastPass& pass) {
  return {.at_most_bytes = pass.at_most_bytes,
          .served_blocks = pass.served_blocks,
          .served_bytes = pass.served_bytes,
          .heap_blocks = pass.heap_blocks,
          .heap_bytes = pass.heap_bytes,
          .is_counted = pass.is_counted ? 1U : 0U};
}

}  // namespace

extern "C" {

size_t memo_stats_json(char* out, size_t capacity) {
  return memo::guest::describe_statistics(out, capacity);
}

int memo_last_pass(struct memo_pass* out) {
  memo::guest::notice_ended_frames(MEMO_CALL_SITE());
  memo::runtime::LastPass pass;
  if (out == nullptr || !memo::runtime::look_at_last_pass(&pass)) return 0;
  *out = public_form(pass);
  return 1;
}

int memo_plan_load(const char* path) {
  return path != nullptr && memo::guest::load_plan(path) ? 0 : -1;
}

size_t memo_release(void) {
  return memo::guest::release_memory();
}
}
