// Operators lead a pass that departs from its plan, and are ignored while passes go as planned: their thunks jump on. After a
// departure they are heard again, for a longer row of passes than before. Proven by places: an operator that is skipped shifts
// those of a pass without a lead by one, and no place of a pass that is led. Failure: a pass that is led for no reason, one
// that departs again without a lead, or a block that is damaged.
#include "registers.h"
#include "served.h"

using namespace served;

namespace {

struct Places {
  void* first;
  void* second;
  void* third;
};

struct Block {
  std::size_t bytes;
  void* place;
};

// Asks for all blocks at one call site, as tensors of a framework are asked for.
[[gnu::noinline]] void allocate(void* argument) {
  auto* block = static_cast<Block*>(argument);
  block->place = malloc(block->bytes);
  fill(block->place, block->bytes, 5);
}

void expect_filled(const Block& block) {
  EXPECT(block.place == nullptr || is_filled(block.place, block.bytes, 5));
  free(block.place);
}

struct Work {
  bool skips_first;
  Places places;
};

void body(void* argument) {
  auto* work = static_cast<Work*>(argument);
  Block first{100, nullptr}, second{100, nullptr}, third{1000, nullptr};
  if (!work->skips_first) guest_operator(allocate, &first);
  guest_operator_other(allocate, &second);
  guest_operator(allocate, &third);
  work->places = {first.place, second.place, third.place};
  expect_filled(first);
  expect_filled(second);
  expect_filled(third);
}

Places run_pass(bool skips_first) {
  Work work{skips_first, {}};
  guest_pass(body, &work);
  free(malloc(1));  // sees that the pass has ended
  return work.places;
}

void ordinary_pass() {
  run_pass(false);
}

void ordinary_passes(int count) {
  for (int pass = 0; pass < count; ++pass) ordinary_pass();
}

// Whether a pass that skips its first operator is led.
bool is_led(const Places& planned) {
  const Places found = run_pass(true);
  if (!by_plan()) return false;
  EXPECT(found.third == planned.third);
  EXPECT(found.second == planned.first || found.second == planned.second);
  return found.second == planned.second;
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  const Places planned = run_pass(false);
  const bool plan_serves = by_plan();
  ordinary_passes(10);
  EXPECT(!is_led(planned));
  for (int pass = 0; pass < 10; ++pass) EXPECT(is_led(planned) == plan_serves);
  ordinary_passes(15);
  EXPECT(is_led(planned) == plan_serves);
  ordinary_passes(16);
  EXPECT(!is_led(planned));
  return 0;
}
