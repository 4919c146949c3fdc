#include "runtime/serving/forks.h"

#include "runtime/platform/loader.h"
#include "runtime/serving/plan_lock.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

void before_fork() {
  hold_visits_for_fork();
  t_self.holds_for_fork = take_plan_lock();
}

void after_fork_in_parent() {
  if (t_self.holds_for_fork) give_back_plan_lock();
  t_self.holds_for_fork = false;
  allow_visits_after_fork();
}

void let_go_after_fork() {
  if (t_self.holds_for_fork) {
    note_given_back(Lock::kPlans);
    g_serving.lock.give_up_in_copy();
  }
  t_self.holds_for_fork = false;
}

}  // namespace memo::runtime
