// What threads look at that do nothing but use the heap (preload/heap/occasions.h): whether recording shall begin or go on
// after a rest, and whether the plan is of any use. A thread that allocates is enough, be there passes or none.
#pragma once

namespace memo::guest {

void look_now_and_then();

}  // namespace memo::guest
