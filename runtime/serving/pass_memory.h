// What passes on lanes took, over all of the process.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Counts a pass that held so many bytes at the most. Costs two relaxed additions and a load.
void count_pass_memory(std::uint64_t bytes);

// Returns the most that one took; 0 before the first.
[[nodiscard]] std::uint64_t most_of_a_pass();

// Begins anew in a copy of the process.
void forget_most_of_a_pass();

}  // namespace memo::runtime
