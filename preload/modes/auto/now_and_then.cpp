#include "preload/modes/auto/now_and_then.h"

#include <cstdint>

#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/looks.h"
#include "preload/modes/auto/passes.h"
#include "preload/modes/auto/unused_plan.h"
#include "preload/modes/serve/between_passes.h"
#include "preload/modes/serve/live.h"
#include "preload/platform/kept_errno.h"
#include "preload/route/route.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

namespace {

// Returns true for a thread that no pass runs on, and that loads nothing.
bool is_outside() {
  return on_plain_heap() || t_route == Route::kAwaiting;
}

}  // namespace

void look_now_and_then() {
  if (!runtime::is_settled_here() || (g_learning.stranger && !has_marked_passes())) return;
  const KeptErrno kept;
  look_where_no_pass_begins();
  refresh_live_page_if_due();
  note_occasion();
  if (!recording()) look_at_rest();
  if (recording() && !has_marked_passes() && is_outside()) t_route = auto_route_outside();
}

}  // namespace memo::guest
