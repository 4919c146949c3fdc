// Finds programs that the library must keep out of: they bring an allocator, or a checker that must see every
// block.
#pragma once

namespace memo::guest {

struct KeepOut {
  const char* reason;  // text for a message; null if the library may work
  bool pass_through;   // calls that reach the library belong to the next allocator in lookup order
};

KeepOut look_for_reason_to_keep_out();

}  // namespace memo::guest
