// Uses a block of the slab and frees it; with the word "after", reads it once more. Run under valgrind, which sees that only
// because the arena tells it of its blocks. Prints what it read, so that no compiler argues the read away.
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "planner/plan/plan_writer.h"
#include "runtime/pass/arena.h"
#include "runtime/serving/plan_in_force.h"

using namespace memo;

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  planner::PlanDescription plan{.modules = {{}}, .cells = {64}, .variants = {}};
  plan.variants = {{.slots = {{.site = {0, 1}, .size = 40, .zone = PlanZone::kCell, .place = 0},
                              {.site = {0, 2}, .size = 8192, .zone = PlanZone::kLarge, .place = 0}}}};
  std::string folder = (std::filesystem::temp_directory_path() / "memomalloc.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 2;
  planner::write_plan(plan, folder + "/plan");
  const bool served = runtime::serve_plan((folder + "/plan").c_str());
  std::filesystem::remove_all(folder);
  if (!served) return 2;
  runtime::pass_begin(0, __builtin_frame_address(0));
  auto* cell = static_cast<volatile char*>(runtime::allocate(40, 1));
  auto* large = static_cast<volatile char*>(runtime::allocate(8192, 2));
  if (cell == nullptr || large == nullptr) return 2;
  cell[0] = 7;
  large[100] = 7;
  int sum = cell[0] + large[100];
  runtime::release(const_cast<char*>(cell));
  runtime::release(const_cast<char*>(large));
  if (which == "cell") sum += cell[0];
  if (which == "large") sum += large[100];
  runtime::pass_end();
  std::printf("%d\n", sum);
}
