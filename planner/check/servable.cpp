#include "planner/check/servable.h"

#include <stdexcept>

#include "memomalloc/arena.h"
#include "planner/plan/plan_writer.h"

namespace memo::planner {
namespace {

std::vector<unsigned char> encoded(const PlanDescription& plan) {
  try {
    return encode_plan(plan);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace

void require_servable(const PlanDescription& plan) {
  const std::vector<unsigned char> bytes = encoded(plan);
  char why[200];
  if (!arena::accepts_plan(bytes.data(), bytes.size(), why, sizeof why)) throw std::runtime_error(why);
}

}  // namespace memo::planner
