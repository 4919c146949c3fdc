// Measures what it costs a server to take up a plan, by the part: reading and checking the file, making the tables, finding the
// call sites in the loaded binaries; and, apart from these, the memory of the first lane. Prints milliseconds: median and range
// over the rounds.
//
//   plan_load_bench [SLOTS [MEGABYTES]]     default 10000 slots, a slab of 64 MiB

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "planner/plan/plan_writer.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/serving/plan_in_force.h"

namespace {

using Clock = std::chrono::steady_clock;
using memo::planner::PlanDescription;

constexpr std::size_t kRounds = 51;
constexpr std::size_t kSlotsPerScope = 12;
constexpr std::size_t kSites = 300;
constexpr std::size_t kLargeSlots = 300;  // as a deep network has them

// Makes a plan in which one allocation in so many is large; the large ones share the slab as a solver would let them.
PlanDescription plan_of(std::size_t slots, std::uint64_t slab_bytes) {
  PlanDescription plan{.modules = {{}}, .cells = std::vector<std::uint64_t>(400, 256), .variants = {{}}};
  memo::planner::PlanVariantDescription& variant = plan.variants[0];
  const std::size_t every = std::max<std::size_t>(slots / kLargeSlots, 1);
  for (std::size_t i = 0; i < slots; ++i) {
    memo::planner::PlanSlotDescription slot{.site = {0, 1 + i * 7 % kSites}, .size = 200};
    slot.freed_at = static_cast<std::uint32_t>(std::min(i + 3, slots));
    slot.scope = static_cast<std::uint32_t>(i / kSlotsPerScope);
    slot.place = i % plan.cells.size();
    if (i % every == 0 && i / every < kLargeSlots) {
      slot.zone = memo::PlanZone::kLarge;
      slot.size = slab_bytes / 4;
      slot.place = i / every % 4 * slot.size;
    }
    variant.slots.push_back(slot);
  }
  for (std::size_t first = 0; first < slots; first += kSlotsPerScope) {
    variant.scopes.push_back(
        {.name = "operator" + std::to_string(first % 40),
         .first_slot = static_cast<std::uint32_t>(first),
         .end_slot = static_cast<std::uint32_t>(std::min(first + kSlotsPerScope, slots))});
  }
  return plan;
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

void fail(const char* what) {
  fmt::print(stderr, "plan_load_bench: {}\n", what);
  std::exit(1);
}

void measure_parts(const std::string& path) {
  Series read, tables, sites, all;
  for (std::size_t round = 0; round < kRounds; ++round) {
    memo::runtime::PlanFile file{};
    memo::runtime::PlanFault why{};
    memo::runtime::LoadedPlan* plan = nullptr;
    all.time([&] {
      read.time([&] {
        if (!memo::runtime::open_plan(path.c_str(), &file, &why)) fail(why.text);
      });
      tables.time([&] { plan = memo::runtime::make_ready(file, 64); });
      if (plan == nullptr) fail("no memory for the tables");
      sites.time([&] { memo::runtime::resolve_sites(*plan); });
    });
    memo::runtime::discard(plan);
  }
  fmt::print(
      "  read and check      {}\n  make the tables     {}\n  find the call sites {}\n  together            {}\n",
      read.text(), tables.text(), sites.text(), all.text());
}

// The first lane with its memory, and giving back that of the plan before.
void measure_with_memory(const std::string& path) {
  Series whole;
  for (std::size_t round = 0; round < kRounds; ++round) {
    whole.time([&] {
      if (!memo::runtime::serve_plan(path.c_str())) fail("the plan is refused");
    });
  }
  fmt::print("  with a lane's memory{}\n", whole.text());
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t slots = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  const std::uint64_t megabytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 64;
  if (slots == 0 || megabytes == 0) fail("usage: plan_load_bench [SLOTS [MEGABYTES]]");
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("memomalloc-load-{}.plan", getpid())).string();
  memo::planner::write_plan(plan_of(slots, megabytes << 20), path);
  fmt::print("{} slots, a slab of {} MiB, {} rounds\n", slots, megabytes, kRounds);
  measure_parts(path);
  measure_with_memory(path);
  std::filesystem::remove(path);
}
