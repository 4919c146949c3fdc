// Lists the allocators that `memomalloc compare` knows: how each is preloaded and tuned, and where it comes from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace memo::cli {

[[nodiscard]] std::string allocators_text();
[[nodiscard]] nlohmann::ordered_json allocators_json();

}  // namespace memo::cli
