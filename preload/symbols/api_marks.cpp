// The public functions that mark passes and scopes (runtime/include/memomalloc/memomalloc.h).

#include "memomalloc/memomalloc.h"
#include "preload/boundaries/ended_frames.h"
#include "preload/boundaries/marks.h"
#include "preload/boundaries/names.h"
#include "preload/boundaries/sink.h"
#include "preload/dispatch/backend.h"
#include "preload/options/options.h"

using memo::guest::BoundaryName;
using memo::guest::intern_name;

extern "C" {

int memo_pass_begin(uint64_t key) {
  if (!memo::guest::has_sink()) return 1;
  if (!memo::guest::skip_marked_pass(key, MEMO_CALL_SITE()) && memo::guest::passes_may_come_by("api")) {
    const BoundaryName* name = intern_name("memo_pass_begin");
    if (name != nullptr) memo::guest::enter_marked_pass(*name, key, MEMO_CALL_SITE());
  }
  return memo::guest::stands_aside_for(key) ? 0 : 1;
}

void memo_pass_end(void) {
  memo::guest::leave_marked_pass(MEMO_CALL_SITE());
}

void memo_scope_begin(const char* text) {
  const BoundaryName* name = text == nullptr ? nullptr : intern_name(text);
  if (name != nullptr) memo::guest::enter_marked_scope(*name, MEMO_CALL_SITE());
}

void memo_scope_end(void) {
  memo::guest::leave_marked_scope(MEMO_CALL_SITE());
}

void memo_data_flow(const char* operation, const void* const* blocks, size_t reads, size_t writes) {
  const auto note = memo::guest::backend().note_data_flow;
  const BoundaryName* name = note == nullptr || operation == nullptr ? nullptr : intern_name(operation);
  if (name == nullptr) return;
  memo::guest::notice_ended_frames(MEMO_CALL_SITE());
  note(*name, blocks, reads, writes);
}

int memo_identify(const void* pointer, struct memo_allocation* out) {
  const auto identify = memo::guest::backend().identify;
  return identify != nullptr && out != nullptr && identify(pointer, out) ? 1 : 0;
}
}
