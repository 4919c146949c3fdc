// A framework that plans its own memory: it numbers its tensors, says how large each is and when it is dropped, and
// runs its passes from the slab. No library is injected, nothing is recorded.
//
//   embedded [PLAN]      writes PLAN (default embedded.plan), serves 1000 passes from it, prints the statistics

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "memomalloc/arena.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"

namespace {

struct Tensor {
  std::size_t bytes;
  std::size_t dropped_at;  // number of the tensor before whose birth this one is dropped
};

// A chain of layers, every other one with a shortcut that lives longer.
std::vector<Tensor> network() {
  std::vector<Tensor> tensors;
  for (std::size_t layer = 0; layer < 40; ++layer) {
    tensors.push_back({(40 - layer) * 16384, layer + (layer % 2 == 0 ? 2 : 4)});
  }
  return tensors;
}

// The number of a tensor is its call site: a module without build-id and path has absolute sites.
memo::planner::PlanDescription plan_of(const std::vector<Tensor>& tensors) {
  memo::planner::Problem problem;
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    problem.buffers.push_back(
        {.life = {static_cast<long>(number), static_cast<long>(tensors[number].dropped_at)},
         .size = static_cast<memo::planner::Bytes>(tensors[number].bytes),
         .alignment = 64,
         .fixed = {}});
  }
  const memo::planner::Offsets offsets =
      memo::planner::find_strategy("greedy-size")->solve(problem, {}).offsets;
  memo::planner::PlanVariantDescription pass{.strategy = "greedy-size"};
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    pass.slots.push_back(
        {.site = {0, number + 1},
         .size = tensors[number].bytes,
         .alignment = 64,
         .freed_at = static_cast<std::uint32_t>(std::min(tensors[number].dropped_at, tensors.size())),
         .zone = memo::PlanZone::kLarge,
         .place = static_cast<std::uint64_t>(offsets[number])});
  }
  return {.modules = {{}}, .cells = {}, .variants = {pass}};
}

struct Block {
  void* memory = nullptr;
  bool from_slab = false;
};

Block take(std::size_t bytes, std::uint64_t number) {
  if (void* memory = memo::arena::allocate(bytes, 1, number)) return {memory, true};
  return {std::malloc(bytes), false};
}

void drop(Block& block) {
  if (block.memory == nullptr) return;
  if (!memo::arena::release(block.memory)) std::free(block.memory);
  block.memory = nullptr;
}

// Each layer writes its tensor; the sum of all first bytes stands for the result.
std::uint64_t run_pass(const std::vector<Tensor>& tensors) {
  std::vector<Block> live(tensors.size());
  std::uint64_t sum = 0;
  memo::arena::pass_begin(0, __builtin_frame_address(0));
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    for (std::size_t old = 0; old < number; ++old) {
      if (tensors[old].dropped_at <= number) drop(live[old]);
    }
    live[number] = take(tensors[number].bytes, number + 1);
    std::memset(live[number].memory, static_cast<int>(number), tensors[number].bytes);
    sum += *static_cast<unsigned char*>(live[number].memory);
  }
  for (Block& block : live) drop(block);
  memo::arena::pass_end();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "embedded.plan";
  const std::vector<Tensor> tensors = network();
  memo::planner::write_plan(plan_of(tensors), path);
  if (!memo::arena::serve_plan(path)) return 1;
  std::uint64_t sum = 0;
  for (int pass = 0; pass < 1000; ++pass) sum += run_pass(tensors);
  char text[4096];
  memo::arena::statistics_json(text, sizeof text);
  std::printf("%s\n", text);
  return sum == 1000 * 780 ? 0 : 1;
}
