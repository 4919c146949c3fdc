#include "preload/modes/serve/operator_hooks.h"

#include "preload/hooks/hooks.h"
#include "preload/hooks/operator_hooking.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

constinit OperatorHooking g_hooking;

// Does what was decided last. Loops because other threads may decide anew meanwhile: the last one here carries that out.
void change_hooks() {
  bool unhooked = false;
  do {
    unhooked = g_hooking.are_unhooked();
    hook_operators(!unhooked);
  } while (g_hooking.are_unhooked() != unhooked);
}

}  // namespace

void note_lead_of_pass(bool heard_operators) {
  if (g_hooking.note(heard_operators) == OperatorHooking::Step::kNone) [[likely]]
    return;
  runtime::on_spare_stack(change_hooks);
}

void have_operators_hooked() {
  if (g_hooking.end()) change_hooks();
}

}  // namespace memo::guest
