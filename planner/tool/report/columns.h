// Packs long columns of whole numbers into few bytes. Each number is stored as its difference to the previous
// one, in as many groups of seven bits as it needs. The bytes are in base64, so that a page can hold them.
// Neighbours in a plan are alike, so sixty thousand offsets take some 200 KB and decode in milliseconds.
//
//   value  64 128 120      difference 64 64 -8      zigzag 128 128 15      bytes 80 01 | 80 01 | 0f
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace memo::planner {

[[nodiscard]] std::string packed_column(std::span<const std::int64_t> values);

}  // namespace memo::planner
