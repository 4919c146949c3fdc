// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/own_stack.h"

#include "preload/boundaries/shadow_stack.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

bool on_own_stack(std::uintptr_t stack) {
  return t_shadow == nullptr || t_shadow->owns(stack);
}

bool has_room_below(std::uintptr_t stack, std::size_t bytes) {
  return t_shadow != nullptr && t_shadow->owns(stack) && stack - t_shadow->low >= bytes;
}

void keep_own_shadow_in_copy() {
  if (t_shadow != nullptr) t_shadow->owner = runtime::current_thread();
}

}  // namespace memo::guest
