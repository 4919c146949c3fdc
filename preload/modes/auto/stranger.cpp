#include "preload/modes/auto/stranger.h"

#include <cstdio>
#include <cstring>

#include "preload/modes/auto/plan_name.h"
#include "preload/options/options.h"
#include "preload/platform/platform.h"
#include "runtime/formats/named_files.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/process_start.h"

namespace memo::guest {
namespace {

// Large, and used once.
OwnFiles g_own;
char g_of_parent[sizeof g_own.program];

// Returns true if the process that was started runs the file, and this one is its child: a wrapper may have become a program
// that the command does not name.
bool is_run_by_started(const char* file, unsigned long starter) {
  const unsigned long parent = platform::parent_process_id();
  char link[40];
  std::snprintf(link, sizeof link, "/proc/%lu/exe", parent);
  return runtime::parent_of_process(parent) == starter &&
         runtime::read_link(link, g_of_parent, sizeof g_of_parent) && std::strcmp(g_of_parent, file) == 0;
}

bool runs_named_files(const NamedFiles& named) {
  if (!find_own_files(g_own)) return true;
  return (named.has(g_own.program) || is_run_by_started(g_own.program, named.starter())) &&
         (*g_own.script == '\0' || named.has(g_own.script));
}

}  // namespace

bool is_stranger() {
  const char* told = option_text(GuestOptionId::kProgram);
  if (*told == '\0') return false;
  const NamedFiles named(told);
  return platform::parent_process_id() != named.starter() && !runs_named_files(named);
}

}  // namespace memo::guest
