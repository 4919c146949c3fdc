#include "preload/modes/auto/learning.h"

#include "preload/modes/serve/live.h"
#include "runtime/serving/statistics.h"

namespace memo::guest {

constinit Learning g_learning;

void enter_state(const char* state) {
  runtime::set_state(state);
  refresh_live_page();
}

}  // namespace memo::guest
