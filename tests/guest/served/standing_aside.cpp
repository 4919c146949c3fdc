// Passes that have nothing in common with the plan: every search for a slot is in vain. Serving must notice that it costs more
// than the heap alone, stand aside for this kind of pass, and go on for the other. Failure: searches that go on; passes that
// the plan fits and that are not served any more; blocks that are damaged on the way from one to the other.
//
// With the word "all" no pass fits, until serving stands aside for both kinds.
#include <time.h>

#include <algorithm>
#include <initializer_list>
#include <thread>

#include "served.h"

using namespace served;

namespace {

constexpr std::uint64_t kFits = 1;
constexpr std::uint64_t kFitsNot = 2;
constexpr int kBlocks = 100;
constexpr unsigned kHelped =
    40'000;  // bytes of a block: larger than any that the heap keeps at hand for a thread
constexpr std::size_t kFilled = 128;  // bytes of a block, lest filling them is all that takes time

[[gnu::noinline]] void* from_one_site(std::size_t bytes) {
  return malloc(bytes);
}
[[gnu::noinline]] void* from_another_site(std::size_t bytes) {
  return malloc(bytes);
}

void run_pass(std::uint64_t key, void* (*allocate)(std::size_t), unsigned bytes) {
  const Pass pass(key);
  void* blocks[kBlocks];
  for (unsigned at = 0; at < kBlocks; ++at) {
    blocks[at] = allocate(bytes + at);
    fill(blocks[at], std::min<std::size_t>(bytes + at, kFilled), at);
  }
  for (unsigned at = 0; at < kBlocks; ++at) {
    EXPECT(is_filled(blocks[at], std::min<std::size_t>(bytes + at, kFilled), at));
    free(blocks[at]);
  }
}

void ordinary_passes() {
  run_pass(kFits, from_one_site, kHelped);
  run_pass(kFitsNot, from_one_site, 3000);
}

bool state_is(const char* state) {
  char text[4096];
  char quoted[64];
  if (memo_stats_json == nullptr || memo_stats_json(text, sizeof text) >= sizeof text) return false;
  snprintf(quoted, sizeof quoted, "\"state\":\"%s\"", state);
  return strstr(text, quoted) != nullptr;
}

// How many passes a loss takes depends on the machine, and on what else it does.
template <typename Done>
void run_until(Done done, std::initializer_list<std::uint64_t> keys) {
  const time_t end = time(nullptr) + 50;
  for (int pass = 0; by_plan() && !done(); ++pass) {
    EXPECT(time(nullptr) < end);
    for (int round = 0; round < 1000; ++round)
      for (const std::uint64_t key : keys) run_pass(key, from_another_site, 30);
  }
}

// Passes whose thread ends inside them, where serving stands aside. Nobody sees their end, and they are counted all the same:
// but for one in sixteen, whose allocations are counted. Tries again, since serving tries again now and then.
bool passes_that_never_end_are_counted() {
  constexpr int kThreads = 64;
  const std::uint64_t before = figure("passes");
  for (int thread = 0; thread < kThreads; ++thread)
    std::thread([] {
      if (memo_pass_begin != nullptr) memo_pass_begin(kFitsNot);
    }).join();
  return figure("passes") - before >= kThreads - kThreads / 16 - 1;
}

// Runs passes that fit until none of them is compared any more.
void run_until_known() {
  const time_t end = time(nullptr) + 50;
  for (std::uint64_t before = ~std::uint64_t{0}; by_plan() && before != figure("blocks");) {
    EXPECT(time(nullptr) < end);
    before = figure("blocks");
    for (int pass = 0; pass < 5000; ++pass) run_pass(kFits, from_one_site, kHelped);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "all") == 0) {
    ordinary_passes();
    run_until([] { return state_is("standing aside"); }, {kFits, kFitsNot});
    return 0;
  }
  if (recorded(argc, ordinary_passes)) return 0;
  run_until([] { return figure("kinds") == 1; }, {kFitsNot});
  for (int pass = 0; pass < 100; ++pass) run_pass(kFitsNot, from_another_site, 30);
  run_until([] { return passes_that_never_end_are_counted(); }, {kFitsNot});
  run_until_known();
  const ServedSince before;
  for (int pass = 0; pass < 1000; ++pass) run_pass(kFits, from_one_site, kHelped);
  EXPECT(before.are(1000 * kBlocks));
  return 0;
}
