// Measures what it costs to lay a plan out anew for a larger shape than any profiled, by the part, and how high the layout
// becomes. The plan is that of a Transformer of so many buffers, whose sizes depend on a batch and a length; then comes a text
// that is half as long again. Prints milliseconds, median and range over the rounds, and the height beside that of a plan made
// for the larger shape alone.
//
//   plan_growth_bench [BUFFERS [VARIANTS]]     default 2000 buffers, 1 variant of which only the first grows

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/plan/variant_builder.h"

namespace {

using Clock = std::chrono::steady_clock;
using memo::planner::Bytes;
using memo::planner::Demand;
using memo::planner::Time;
using memo::runtime::LoadedPlan;
using memo::runtime::PlanFile;

constexpr std::size_t kRounds = 51;
constexpr Time kOfLayer = 14;  // buffers
constexpr Bytes kWidth = 64;
constexpr Bytes kHeads = 4;
constexpr Bytes kBatch = 8;
constexpr Bytes kLength = 96;
constexpr Bytes kLonger = kLength * 3 / 2;

// Adds a Transformer layer: its input lives until the next layer's, half of its buffers are small.
void add_layer(std::vector<Demand>& demands, Time begin, Time end_of_all, Bytes length) {
  const Bytes state = 4 * kBatch * length * kWidth;
  const Bytes weights = 4 * kBatch * kHeads * length * length;
  const struct {
    Bytes size;
    Time lives;
  } buffers[kOfLayer] = {{state, kOfLayer + 1}, {48, 3},  {3 * state, 4}, {200, 2}, {weights, 3}, {64, 2},
                         {weights, 3},          {120, 4}, {state, 3},     {80, 9},  {state, 5},   {64, 2},
                         {4 * state, 3},        {300, 2}};
  for (Time step = 0; step < kOfLayer && begin + step < end_of_all; ++step)
    demands.push_back({.size = buffers[step].size,
                       .life = {begin + step, std::min(begin + step + buffers[step].lives, end_of_all)},
                       .site = {.module = 0, .offset = 0x40 + 16 * static_cast<std::uint64_t>(step)}});
}

std::vector<Demand> network(Time buffers, Bytes length) {
  std::vector<Demand> demands;
  for (Time begin = 0; begin < buffers; begin += kOfLayer) add_layer(demands, begin, buffers, length);
  return demands;
}

memo::planner::PlannedVariants plan_of(Time buffers, std::size_t variants, Bytes length) {
  memo::planner::Variants described;
  described.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  for (std::size_t index = 0; index < variants; ++index)
    described.variants.push_back({.key = index + 1,
                                  .pass_name = fmt::format("forward {}", index),
                                  .runs = 2,
                                  .demands = network(buffers, index == 0 ? length : kLength)});
  return memo::planner::plan_variants(described, *memo::planner::find_strategy("strip-packing"), {});
}

class Series {
 public:
  template <typename Work>
  void time(Work work) {
    const Clock::time_point start = Clock::now();
    work();
    milliseconds_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  [[nodiscard]] std::string text() {
    std::sort(milliseconds_.begin(), milliseconds_.end());
    return fmt::format("{:8.3f} ms  ({:.3f} to {:.3f})", milliseconds_[milliseconds_.size() / 2],
                       milliseconds_.front(), milliseconds_.back());
  }

 private:
  std::vector<double> milliseconds_;
};

[[noreturn]] void fail(const char* what) {
  fmt::print(stderr, "plan_growth_bench: {}\n", what);
  std::exit(1);
}

PlanFile copy_of(const PlanFile& file) {
  PlanFile copy{};
  if (!memo::runtime::copy_plan(file, &copy)) fail("no memory for a copy of the plan");
  return copy;
}

// Lets passes of the longer text ask for every slot of the first variant.
void ask_for_longer(LoadedPlan& plan, const std::vector<Demand>& longer) {
  memo::runtime::Variant& variant = plan.variants[0];
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
    if (const auto wanted = static_cast<std::uint64_t>(longer[slot].size); wanted > variant.slots[slot].size)
      memo::runtime::raise(variant.seen[slot], wanted);
  variant.state.set(memo::runtime::GrowthState::kWantsLargerSlots);
}

// The tables of the first variant alone, as of a group that has no other.
struct Tables {
  explicit Tables(const PlanFile& file) {
    memo::runtime::Pieces counted(nullptr);
    take_from(counted, file);
    memory.resize(counted.used());
    memo::runtime::Pieces pieces(memory.data());
    const memo::runtime::Builder builder = take_from(pieces, file);
    new (group.variants) memo::runtime::Builder(builder);
    group.variant_count = 1;
    variant.state.set(memo::runtime::GrowthState::kLaidOutAnew);
  }

  memo::runtime::Builder take_from(memo::runtime::Pieces& pieces, const PlanFile& file) {
    memo::runtime::VariantGroup first = memo::runtime::group_from(file, 0);
    first.end = 1;
    group = lay_out(pieces, first);
    return lay_out(pieces, file, file.variants()[0], variant);
  }

  std::vector<char> memory;
  memo::runtime::Variant variant{};
  memo::runtime::GroupBuilder group{};
};

// The steps for one variant, on tables of their own.
void measure_steps(const LoadedPlan& grown) {
  Series places, conflicts, indexes;
  for (std::size_t round = 0; round < kRounds; ++round) {
    Tables tables(grown.file);
    memo::runtime::Builder& builder = *tables.group.variants;
    fill_slots(builder, grown.cells);
    places.time([&] {
      if (!place_large_slots(builder, grown.large_start)) fail("no places");
    });
    conflicts.time([&] {
      number_places(tables.group);
      find_conflicts(tables.group);
    });
    indexes.time([&] {
      index_by_site(builder);
      link_names(builder);
    });
  }
  fmt::print("  places              {}\n  conflicts           {}\n  indexes             {}\n", places.text(),
             conflicts.text(), indexes.text());
}

LoadedPlan* grow(LoadedPlan& before, Series& whole) {
  LoadedPlan* grown = nullptr;
  whole.time([&] {
    const PlanFile copy = copy_of(before.file);
    enlarge_slots(before, copy);
    grown = memo::runtime::make_ready(copy, 64, &before);
  });
  if (grown == nullptr) fail("the plan does not grow");
  return grown;
}

}  // namespace

int main(int argc, char** argv) {
  const Time buffers = argc > 1 ? std::atol(argv[1]) : 2000;
  const std::size_t variants = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  if (buffers <= 0 || variants == 0) fail("usage: plan_growth_bench [BUFFERS [VARIANTS]]");
  const auto planned = plan_of(buffers, variants, kLength);
  const auto alone = plan_of(buffers, 1, kLonger);
  const std::vector<unsigned char> bytes = memo::planner::encode_plan(planned.plan);
  LoadedPlan* before = memo::runtime::make_ready(copy_of({bytes.data(), bytes.size()}), 64);
  if (before == nullptr) fail("no memory for the tables");
  const auto longer = network(buffers, kLonger);
  Series whole;
  for (std::size_t round = 0; round + 1 < kRounds; ++round) {
    ask_for_longer(*before, longer);
    discard(grow(*before, whole));
  }
  ask_for_longer(*before, longer);
  LoadedPlan* grown = grow(*before, whole);
  fmt::print("{} buffers, {} of them large, {} variants, {} rounds\n", buffers,
             grown->variants[0].large_count, variants, kRounds);
  measure_steps(*grown);
  fmt::print("  copied and ready    {}\n", whole.text());
  const auto height = static_cast<Bytes>(grown->variants[0].height);
  fmt::print(
      "height: {} bytes planned, {} grown; planned for the larger shape alone: {}, the bound of which is {}\n",
      planned.reports[0].height, height, alone.reports[0].height, alone.reports[0].lower_bound);
  discard(grown);
  discard(before);
}
