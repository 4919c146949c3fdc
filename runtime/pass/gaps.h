// Lends a block that comes out of order the place of a large slot that is free, and that the pass needs last.
//
//   bytes of the lane   |###### lives ######|== b ==|== c ==|== d ==|      expected next: b, then d, then c
//
// A block as large as these gets the place of c, which is needed last.
// So it is in the way of as little as possible, however long it lives.
#pragma once

#include "runtime/pass/taking.h"

namespace memo::runtime {

// Takes the place of a large slot for a request whose own one cannot be had. Of the places that are free and large enough, it is
// one that shares no byte with the next large slots of the plan, as many of them as possible; of several, the smallest. Returns false
// if none is free. Costs a few words for each large slot that lives or is still to come.
[[nodiscard]] __attribute__((noinline, cold)) bool take_gap(Search& search);

}  // namespace memo::runtime
