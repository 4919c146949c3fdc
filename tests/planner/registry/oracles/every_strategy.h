// All strategies that there are: those of the product, then those of the literature.
#pragma once

#include <string_view>
#include <vector>

#include "planner/literature/literature.h"
#include "planner/registry/registry.h"

namespace memo::planner {

inline const std::vector<Strategy>& every_strategy() {
  static const std::vector<Strategy> all = [] {
    std::vector<Strategy> joined(own_strategies().begin(), own_strategies().end());
    joined.insert(joined.end(), literature_strategies().begin(), literature_strategies().end());
    return joined;
  }();
  return all;
}

// Returns nullptr if there is none of this name.
inline const Strategy* find_any(std::string_view name) {
  return find_strategy(every_strategy(), name);
}

}  // namespace memo::planner
