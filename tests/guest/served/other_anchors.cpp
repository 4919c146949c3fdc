// Passes that nobody marks, by two functions: a plan of those of the one, which the program does not call any more, is in force,
// and the passes of the other go on. Nothing begins a pass, so nothing but the allocations themselves can find the plan that
// is put in the place of the first while the program runs.
//
//   other_anchors one|two              passes of that function, to be recorded
//   other_anchors marked               the same of the first one, which says where they begin: such a plan has no anchors
//   other_anchors replace PLAN NEWER   passes of the second one; NEWER becomes PLAN, and has to serve them
//   other_anchors never                passes of the second one, millions of allocations
//   other_anchors some                 the same, so few that they are no reason to say anything before the end
#include <stdio.h>
#include <unistd.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kTensor = 100'000;
constexpr int kMostWaits = 20'000;  // of a millisecond

using Work = void (*)();

void free_all(void** blocks, int count) {
  for (int i = 0; i < count; ++i) free(blocks[i]);
}

// Each allocates from lines of its own.
[[gnu::noinline]] void pass_one() {
  void* blocks[3] = {malloc(kTensor), nullptr, nullptr};
  for (int i = 0; i < 20; ++i) free(malloc(64 + 16 * static_cast<std::size_t>(i)));
  blocks[1] = malloc(2 * kTensor);
  blocks[2] = malloc(3000);
  free_all(blocks, 3);
}

[[gnu::noinline]] void pass_two() {
  void* blocks[3] = {malloc(3 * kTensor), nullptr, nullptr};
  for (int i = 0; i < 24; ++i) free(malloc(80 + 16 * static_cast<std::size_t>(i)));
  blocks[1] = malloc(kTensor);
  blocks[2] = malloc(5000);
  free_all(blocks, 3);
}

void repeat(Work pass, int times) {
  for (int i = 0; i < times; ++i) pass();
}

void replace(const char* plan, const char* newer) {
  repeat(pass_two, 1000);
  EXPECT(figure("plans_loaded") == 1);
  EXPECT(figure("passes") == 0);
  EXPECT(rename(newer, plan) == 0);
  for (int wait = 0; wait < kMostWaits && figure("served") == 0; ++wait) {
    repeat(pass_two, 20);
    usleep(1000);  // nothing tells when the library takes up the newer plan
  }
  EXPECT(figure("plans_loaded") == 2);
  EXPECT(figure("served") > 0);
}

void marked_pass() {
  const Pass pass;
  pass_one();
}

}  // namespace

int main(int count, char** words) {
  expect_right_allocator();
  const char* what = count > 1 ? words[1] : "one";
  if (strcmp(what, "replace") == 0)
    replace(words[2], words[3]);
  else if (strcmp(what, "never") == 0)
    repeat(pass_two, 800'000);
  else if (strcmp(what, "some") == 0)
    repeat(pass_two, 5000);
  else if (strcmp(what, "marked") == 0)
    repeat(marked_pass, 300);
  else
    repeat(strcmp(what, "two") == 0 ? pass_two : pass_one, 300);
  return 0;
}
