// Long columns of whole numbers in few bytes: each number as its difference to the one before it, in as many groups of
// seven bits as it needs, and all of it in base64 so that a page can hold it. What lies side by side in a plan is alike,
// so sixty thousand offsets take some 200 KB and decode in milliseconds.
//
//   value  64 128 120      difference 64 64 -8      zigzag 128 128 15      bytes 80 01 | 80 01 | 0f
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace memo::planner {

[[nodiscard]] std::string packed_column(std::span<const std::int64_t> values);

}  // namespace memo::planner
