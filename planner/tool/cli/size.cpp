// `memomalloc size`: tells how much memory a server with a plan needs.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "planner/check/servable.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/size_text.h"
#include "runtime/formats/size_text.h"

namespace memo::cli {
namespace {

using planner::FormulaNumbers;
using planner::PlanDescription;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;  // sums of those do not overflow

std::optional<std::uint64_t> size_of(const Options& options, std::string_view name) {
  if (!options.given(name)) return std::nullopt;
  const std::string text = options.text(name);
  std::uint64_t bytes = 0;
  if (!read_size(text.c_str(), &bytes) || bytes > kMostBytes)
    throw Failure{kUsage,
                  fmt::format("--{} is \"{}\"; give a size such as 310Mi or 4Gi, 1024T at most", name, text)};
  return bytes;
}

std::optional<std::uint64_t> at_once_of(const Options& options) {
  if (!options.given("at-once")) return std::nullopt;
  const std::string text = options.text("at-once");
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stopped == text.data() + text.size() && number >= 1 &&
      number <= planner::kMostAtOnce)
    return number;
  throw Failure{kUsage,
                fmt::format("--at-once is \"{}\"; give a whole number, 1 to {}", text, planner::kMostAtOnce)};
}

// ---- a shape

// Reads the number with which the text begins and takes it away. Returns 0 where there is none, or one that is too large.
std::uint64_t take_number(std::string_view& text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  return error == std::errc{} && number <= most ? number : 0;
}

// Reads "32x512". A grown plan counts in numbers up to four times as large as a plan of the planner.
FormulaNumbers shape_in(const std::string& text) {
  constexpr std::uint64_t kTimes = 4;
  std::string_view rest = text;
  const std::uint64_t p = take_number(rest, kTimes * kMaxFormulaNumbers[0]);
  const bool goes_on = rest.starts_with('x');
  if (goes_on) rest.remove_prefix(1);
  const std::uint64_t q = take_number(rest, kTimes * kMaxFormulaNumbers[1]);
  if (p != 0 && goes_on && q != 0 && rest.empty()) return {.p = p, .q = q};
  throw Failure{kUsage, fmt::format("--shape is \"{}\"; give two sizes such as 8x128, {}x{} at most", text,
                                    kTimes * kMaxFormulaNumbers[0], kTimes * kMaxFormulaNumbers[1])};
}

VariantAtShape look_at(const PlanDescription& plan, const PlanDescription& enlarged, std::size_t number,
                       const FormulaNumbers& numbers) {
  const planner::PlanVariantDescription& variant = plan.variants[number];
  const std::uint64_t planned = planner::height(plan, variant);
  const std::uint64_t height = planner::height(enlarged, enlarged.variants[number]);
  VariantAtShape at{.variant = number, .height = height, .touched = planner::lane_memory(height)};
  at.grows = enlarged.variants[number].slots != variant.slots;
  at.too_high = height > planner::kMostTimesAsPlanned * planned || height > kMaxPlanHeight;
  if (!at.grows) at.touched = planner::touched_by(plan, variant, numbers);
  return at;
}

AtShape look_at_shape(const SizeReport& report, const std::string& text) {
  AtShape shape{.numbers = shape_in(text), .variants = {}};
  const PlanDescription enlarged = planner::enlarged_for(report.plan, shape.numbers);
  for (std::size_t number = 0; number < report.plan.variants.size(); ++number)
    if (planner::has_formulas(report.plan.variants[number]))
      shape.variants.push_back(look_at(report.plan, enlarged, number, shape.numbers));
  if (shape.variants.empty())
    throw Failure{kUsage,
                  fmt::format("--shape is \"{}\", and no pass of {} follows two sizes; leave it out, or "
                              "plan from traces with more shapes",
                              text, report.path)};
  return shape;
}

// Makes the need as large as the shape's. One that goes to the heap takes its bytes there.
void count_in(const AtShape& shape, planner::MemoryNeed& need) {
  for (const VariantAtShape& at : shape.variants)
    need.lane = std::max(need.lane, planner::lane_memory(at.height));
}

// ---- the verb

void require_taken(const SizeReport& report) {
  try {
    planner::require_servable(report.plan);
  } catch (const std::runtime_error& error) {
    throw Failure{kInput,
                  fmt::format("the library would not take {}: {}; plan again", report.path, error.what())};
  }
}

int run_size(const Options& options) {
  SizeReport report{.path = options.text("plan")};
  report.base = size_of(options, "base");
  report.limit = size_of(options, "limit");
  report.at_once = at_once_of(options);
  report.plan = read_plan(report.path);
  require_taken(report);
  report.need = planner::need_of(report.plan);
  if (options.given("shape")) {
    report.shape = look_at_shape(report, options.text("shape"));
    count_in(*report.shape, report.need);
  }
  fmt::print("{}", options.flag("json") ? to_json(report) : describe(report));
  if (report.is_too_much()) return kCheckFailed;
  spdlog::info("next: memomalloc serve --plan {} -- COMMAND", report.path);
  return kOk;
}

}  // namespace

std::function<int()> declare_size(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "size");
  return [options] { return run_size(*options); };
}

}  // namespace memo::cli
