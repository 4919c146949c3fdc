#include "planner/check/servable.h"

#include <stdexcept>

#include "planner/plan/plan_writer.h"
#include "runtime/plan/plan_file.h"

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
  runtime::PlanFault why{};
  if (!runtime::check_plan({bytes.data(), bytes.size()}, &why)) throw std::runtime_error(why.text);
}

}  // namespace memo::planner
