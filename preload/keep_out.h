// Programs the guest must keep out of: they bring an allocator or a checker that wants to see every block
// itself.
#pragma once

namespace memo::guest {

// What this process brings, in words for a message, or null when there is nothing in the way.
const char* reason_to_keep_out();

}  // namespace memo::guest
