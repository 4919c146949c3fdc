#include "runtime/serving/plan_lock.h"

#include "runtime/platform/loader.h"

namespace memo::runtime {

constinit Serving g_serving{.lanes = 0,
                            .next_look = 0,
                            .watching = false,
                            .growth_wanted = false,
                            .grows_beside = false,
                            .retired_lanes = 0,
                            .next_retirement = 0,
                            .loader_changes = 0,
                            .modules_missing = false,
                            .lock = {},
                            .watched = {},
                            .serving = {},
                            .plan_hash = 0,
                            .warm_up = 0,
                            .growing = false,
                            .retirement_pause = 0,
                            .seen = {},
                            .files_read = 0};

bool plans_may_change() {
  return !g_serving.lock.was_taken_over() && loader_can_be_asked();
}

}  // namespace memo::runtime
