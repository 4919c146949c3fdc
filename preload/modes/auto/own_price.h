// What recording costs this process (price.h), read from its clocks.
#pragma once

namespace memo::guest {

// Brings g_learning.price up to date, for the one thread that decides. Costs two loads, and every few milliseconds, or after a
// tenth of a millisecond of the recorder's, a system call.
void bring_price_up_to_date();

}  // namespace memo::guest
