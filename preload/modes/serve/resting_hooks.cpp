#include "preload/modes/serve/resting_hooks.h"

#include "preload/hooks/hooks.h"
#include "preload/hooks/operator_rest.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

constinit OperatorRest g_rest;

// Does what was decided last. More may be decided meanwhile, and another thread be here for it: whoever is last does that.
void change_hooks() {
  bool rests = false;
  do {
    rests = g_rest.rests();
    hook_operators(!rests);
  } while (g_rest.rests() != rests);
}

}  // namespace

void note_lead_of_pass(bool heard_operators) {
  if (g_rest.note(heard_operators) == OperatorRest::Step::kNone) [[likely]]
    return;
  runtime::on_spare_stack(change_hooks);
}

void have_operators_hooked() {
  if (g_rest.end()) change_hooks();
}

}  // namespace memo::guest
