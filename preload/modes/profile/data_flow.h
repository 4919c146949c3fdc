// The data flow between operators (--data-flow): which blocks each of them read and wrote.
#pragma once

#include <cstddef>

#include "preload/boundaries/boundary.h"

namespace memo::guest {

// Logs an operator of the running pass that has ended, with the first `reads` blocks as read and the next `writes` as
// written. Pointers into no block that the recorder knows are left out. Costs an event and a look into the table for each
// pointer; a pointer into the middle of a block takes microseconds.
void note_data_flow(const BoundaryName& operation, const void* const* blocks, std::size_t reads,
                    std::size_t writes);

}  // namespace memo::guest
