// Plans written by somebody else, as JSON: whatever the text, it is refused with a sentence or becomes a plan that the
// arena takes and that comes out as the same bytes after another round.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "planner/check/servable.h"
#include "planner/plan/plan_json.h"
#include "planner/plan/plan_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memo::planner;
  PlanDescription plan;
  try {
    plan = plan_from_json({reinterpret_cast<const char*>(data), size});
    require_servable(plan);
  } catch (const std::runtime_error&) {
    return 0;
  }
  if (encode_plan(plan_from_json(plan_to_json(plan).dump())) != encode_plan(plan)) {
    std::fprintf(stderr, "the plan changed on the way through JSON\n");
    std::abort();
  }
  return 0;
}
