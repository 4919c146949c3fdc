// Measures what an allocation costs that the plan's next slot does not answer. scripts/bench/misses makes a plan of what this
// program does with KIND 0, and counts by callgrind the instructions of single calls with each KIND.
//
//   miss_bench PASSES KIND
//
//   kind  the pass asks for                           and the plan answers with
//   0     what was planned                            the expected slot
//   1     a block more, from a caller without a slot  the heap
//   2     a block more, from a caller of the plan     a spare cell
//   3     the second of each two blocks alone         the slot further on
//
// Every kind misses once for each kOrdinary blocks that come as planned, so that no pass gives up.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "memomalloc/memomalloc.h"

namespace {

constexpr int kRounds = 64;   // in a pass
constexpr int kOrdinary = 4;  // blocks of a round that come as planned
constexpr int kWarmUp = 4;    // passes
constexpr std::size_t kLarge = std::size_t{1} << 20;

enum Kind { kPlanned, kUnknown, kExtra, kSkipped };

volatile unsigned g_calls[6];

// The call sites. Each counts its calls in a place of its own, or the compiler would make one function of all.
template <int kSite>
[[gnu::noinline]] void* call(std::size_t size) {
  void* block = std::malloc(size);
  g_calls[kSite] = g_calls[kSite] + 1;
  return block;
}
constexpr auto ordinary = call<0>, call_first = call<1>, call_second = call<2>, call_unknown = call<3>,
               call_large = call<4>, other = call<5>;

void touch_and_free(void* block) {
  if (block != nullptr) *static_cast<volatile char*>(block) = 1;
  std::free(block);
}

void run_ordinary() {
  void* blocks[kOrdinary];
  for (void*& block : blocks) block = ordinary(64);
  for (void* block : blocks) touch_and_free(block);
}

void run_round(Kind kind) {
  run_ordinary();
  void* first = kind == kSkipped ? nullptr : call_first(128);
  void* second = call_second(192);
  void* extra = kind == kUnknown ? call_unknown(128) : kind == kExtra ? call_second(192) : nullptr;
  void* large = call_large(kLarge);
  for (void* block : {first, second, extra, large}) touch_and_free(block);
}

void run_pass(Kind kind) {
  if (memo_pass_begin != nullptr) memo_pass_begin(1);
  for (int round = 0; round < kRounds; ++round) run_round(kind);
  if (memo_pass_end != nullptr) memo_pass_end();
}

// A pass of another kind, so that the plan has more than one variant, as most have.
void run_other_pass() {
  if (memo_pass_begin != nullptr) memo_pass_begin(2);
  for (int round = 0; round < kRounds; ++round) touch_and_free(other(1000));
  if (memo_pass_end != nullptr) memo_pass_end();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto kind = static_cast<Kind>(std::atoi(argv[2]));
  for (int pass = 0; pass < kWarmUp; ++pass) {
    run_other_pass();
    run_pass(kPlanned);
  }
  for (int pass = std::atoi(argv[1]); pass > 0; --pass) run_pass(kind);
}
