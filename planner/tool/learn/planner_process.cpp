#include "planner/tool/learn/planner_process.h"

#include <signal.h>
#include <sys/resource.h>

#include <utility>

#include "planner/system/last_of_all.h"

namespace memo::learn {
namespace {

std::chrono::nanoseconds processor_time(const rusage& usage) {
  const auto length = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return length(usage.ru_utime) + length(usage.ru_stime);
}

}  // namespace

void PlannerProcess::program_has_ended() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  if (planner_ != 0) works_late_();
}

void PlannerProcess::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (planner_ != 0) kill(planner_, SIGKILL);
}

// Starts the planner. Returns false if there is no more time for it. stop() may kill the process id under this
// lock, since the id is not reused before the child is waited for.
bool PlannerProcess::start(process::Command& command, process::Child* child) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  if (ended_) {
    works_late_();
    // The program has ended: the planner delays it no more.
    if (!std::exchange(starved_, true)) process::let_own_session_come_back();
  }
  command.last_of_all = !starved_;
  *child = process::start(command);
  planner_ = child->id;
  return true;
}

// Waits for the planner, and returns its status.
int PlannerProcess::collect(const process::Child& child) {
  planner_ = 0;
  rusage usage{};
  const int status = process::wait_for(child, &usage);
  spent_ += processor_time(usage);
  return status;
}

// If the planner starves at the lowest priority, starts it again with the usual priority: any process may lower a
// priority, but few may raise one. Little work is lost, because the first run had next to no processor time. Later
// planners have the usual priority from the beginning.
int PlannerProcess::run(process::Command command) {
  for (;;) {
    process::Child child;
    if (!start(command, &child)) return -1;
    if (!command.last_of_all) process::wait_for_end(child);
    const bool ended = !command.last_of_all || process::ends_without_starving(child);
    if (!ended) kill(child.id, SIGKILL);
    const std::lock_guard lock(mutex_);
    const int status = collect(child);
    if (ended || stopped_) return status;
    starved_ = true;
    process::let_own_session_come_back();
  }
}

}  // namespace memo::learn
