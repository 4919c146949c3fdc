// Programs the guest must keep out of: they bring an allocator or a checker that wants to see every block
// itself.
#pragma once

namespace memo::guest {

struct KeepOut {
  const char* reason;  // in words for a message; null when there is nothing in the way
  bool step_aside;     // calls that reach the library are meant for somebody behind it
};

KeepOut look_for_reason_to_keep_out();

}  // namespace memo::guest
