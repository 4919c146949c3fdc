// Writes a plan as a C header for devices that have neither the library nor a heap: the slab as a static array,
// and the place of every allocation of a pass.
//
//   prefix_slab      unsigned char[PREFIX_SLAB_BYTES], defined in the one file that defines PREFIX_DEFINE_SLAB
//   prefix_blocks    offset and bytes of the k-th allocation, with its operator as a comment
//   prefix_block(k)  its address;  prefix_take(&pass, bytes)  the address of the next one
#pragma once

#include <string>
#include <string_view>

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Returns why a plan cannot be a table of fixed places, as the end of a sentence; "" where it can.
[[nodiscard]] std::string why_no_c_header(const PlanDescription& plan);

// Returns the header. The prefix of its names is made of `file_name`. The plan must have a C header.
[[nodiscard]] std::string to_c_header(const PlanDescription& plan, std::string_view file_name);

}  // namespace memo::planner
