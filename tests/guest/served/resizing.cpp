// realloc across slab and heap, both ways. Inside a pass a block grows within its slot, moves to another slot, comes in
// from the heap; outside, a block of the slab shrinks in place, moves to the heap, and is freed by realloc(p, 0). Failure:
// a byte that changed on the way, a block that moved although its slot had room, or a slot that stays taken.
#include "served.h"

using namespace served;

namespace {

[[gnu::noinline]] char* grown(char* block, std::size_t held, std::size_t size) {
  EXPECT(is_filled(block, held, 5));
  auto* moved = static_cast<char*>(realloc(block, size));
  EXPECT(moved != nullptr && is_filled(moved, held < size ? held : size, 5));
  fill(moved, size, 5);
  return moved;
}

[[gnu::noinline]] char* filled(std::size_t size) {
  auto* block = static_cast<char*>(malloc(size));
  EXPECT(block != nullptr);
  fill(block, size, 5);
  return block;
}

// In the slab: born, moved to a larger slot, grown within it; and one that comes in from the heap.
void ordinary_pass() {
  char* from_heap = filled(700);
  {
    const Pass pass;
    char* block = filled(1000);
    block = grown(block, 1000, 90000);
    from_heap = grown(from_heap, 700, 50000);
    block = grown(block, 90000, 90001);
    free(block);
    free(from_heap);
  }
}

void comes_in_from_the_heap() {
  const ServedSince served;
  ordinary_pass();
  EXPECT(served.are(3));
}

char* left_behind() {
  const Pass pass;
  return filled(1000);
}

void moves_to_the_heap() {
  char* block = left_behind();
  block = grown(block, 1000, 300000);
  block = grown(block, 300000, 10);
  free(block);
}

void shrinks_in_place() {
  char* block = left_behind();
  char* shrunk = grown(block, 1000, 3);
  char* back = grown(shrunk, 3, 900);
  EXPECT(!by_plan() || (shrunk == block && back == block));
  free(back);
}

void zero_frees() {
  char* block = left_behind();
  EXPECT(realloc(block, 0) == nullptr);
  char* again = left_behind();
  EXPECT(!by_plan() || again == block);
  free(again);
}

// Larger than anything foreseen: the heap, which takes over what the slot held.
void outgrows_its_slot_in_a_pass() {
  const Pass pass;
  char* block = filled(1000);
  block = grown(block, 1000, 5'000'000);
  EXPECT(realloc(block, SIZE_MAX / 2) == nullptr);
  EXPECT(is_filled(block, 5'000'000, 5));
  free(block);
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (int round = 0; round < 20; ++round) {
    comes_in_from_the_heap();
    moves_to_the_heap();
    shrinks_in_place();
    zero_frees();
    outgrows_its_slot_in_a_pass();
  }
}
