// No byte of the slab is handed out twice while it is live, whatever the program does and whatever the plan says.
// Random programs skip, add, reorder and resize allocations, free late, early, twice, in other threads or never,
// nest, interrupt and abandon passes, and replace plans in the middle; an independent map of the live blocks
// checks each answer, and marks in the blocks' first and last bytes check what nobody else should have touched.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <deque>
#include <functional>
#include <random>
#include <thread>
#include <utility>
#if defined(__x86_64__)
#include <ucontext.h>
#include <x86intrin.h>
#endif

#include "runtime/platform/clock.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/plan_in_force.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

rc::Gen<Operation> any_operation() {
  const auto act = rc::gen::weightedElement<Act>(
      {{3, Act::kPassBegin},  {1, Act::kPassInside}, {2, Act::kPassEnd},    {2, Act::kPassOpen},
       {40, Act::kNext},      {6, Act::kNextSized},  {5, Act::kSkip},       {5, Act::kAgain},
       {6, Act::kStray},      {2, Act::kAligned},    {30, Act::kFree},      {2, Act::kFreeAgain},
       {2, Act::kFreeInside}, {4, Act::kResize},     {6, Act::kScopeBegin}, {5, Act::kScopeEnd},
       {1, Act::kLoadPlan},   {2, Act::kRelease},    {3, Act::kThread},     {1, Act::kThreadEnds}});
  return rc::gen::apply(
      [](Act what, std::uint32_t a, std::uint32_t b) {
        return Operation{what, a, b};
      },
      act, rc::gen::inRange<std::uint32_t>(0, 1000), rc::gen::inRange<std::uint32_t>(0, 60000));
}

// Short programs, which rapidcheck shrinks to the least one that fails.
RC_GTEST_PROP(Oracle, ShortProgramsNeverGetAByteTwice, ()) {
  auto program = *rc::gen::container<std::vector<Operation>>(any_operation());
  program.insert(program.begin(), {Act::kPassBegin, 0, 0});
  program.insert(program.begin(), {Act::kLoadPlan, *rc::gen::inRange<std::uint32_t>(0, Machine::kPlans), 0});
  Machine machine(plan_path());
  const auto wrong = machine.run(program);
  if (wrong) RC_FAIL(*wrong + "\n" + as_code(program));
}

// Mostly what a plan expects, with every kind of deviation mixed in. The lanes fill and empty alternately.
Operation drawn(std::mt19937& dice, int step) {
  static constexpr unsigned kShareOfNext[] = {70, 45, 15};
  static constexpr Act kRare[] = {Act::kPassBegin, Act::kPassInside, Act::kPassEnd, Act::kNextSized,
                                  Act::kSkip,      Act::kAgain,      Act::kStray,   Act::kAligned,
                                  Act::kFreeAgain, Act::kFreeInside, Act::kResize,  Act::kScopeBegin,
                                  Act::kScopeEnd};
  const auto pick = dice() % 100;
  Act act = Act::kNext;
  if (pick >= kShareOfNext[step / 200 % 3]) act = Act::kFree;
  if (pick >= 88) act = kRare[dice() % std::size(kRare)];
  if (dice() % 400 == 0) act = Act::kThread;
  if (dice() % 4000 == 0) act = Act::kThreadEnds;
  if (dice() % 500 == 0) act = Act::kRelease;
  if (dice() % 10000 == 0) act = Act::kLoadPlan;
  return {act, static_cast<std::uint32_t>(dice() % 1000), static_cast<std::uint32_t>(dice() % 60000)};
}

// Long walks: a million steps, several plans, blocks that outlive passes and plans. How many, docs/reliability.md says.
TEST(Oracle, LongProgramsNeverGetAByteTwice) {
  static constexpr std::uint32_t kWalks = 10;
  static constexpr int kSteps = 100'000;
  std::uint64_t handed_out = 0;
  for (std::uint32_t seed = 1; seed <= kWalks; ++seed) {
    std::mt19937 dice(seed);
    std::vector<Operation> program{{Act::kLoadPlan, seed, 0}};
    for (int step = 0; step < kSteps; ++step) program.push_back(drawn(dice, step));
    Machine machine(plan_path());
    ASSERT_EQ(machine.run(program), std::nullopt) << "seed " << seed;
    handed_out += machine.handed_out();
  }
  EXPECT_GT(handed_out, 100'000u);  // the walk really took place in the slab
  std::printf("%u operations, %llu blocks of the slab checked\n", kWalks * kSteps,
              static_cast<unsigned long long>(handed_out));
}

// 24 large slots, of which three live at once.
PlanDescription plan_of_large_slots() {
  static constexpr std::uint32_t kSlots = 24;
  PlanDescription plan = empty_plan();
  PlanVariantDescription& variant = plan.variants.emplace_back();
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    variant.slots.push_back(large_slot(1 + slot, 5000 + 700 * (slot % 7), std::uint64_t{slot % 3} << 14));
    variant.slots.back().freed_at = std::min(slot + 3, kSlots);
  }
  return plan;
}

// Passes in which every block is larger than planned by a factor of its own, on no line. The plan grows by what was seen,
// until it serves nearly all, and no block gets a byte of another.
void grow_by_sizes_on_no_line(const PlanDescription& plan) {
  serve(plan);
  const std::uint64_t grown = statistics().plans_grown;
  std::mt19937 dice(1);
  std::vector<bool> served;
  for (unsigned pass = 0; pass < 300; ++pass) {
    Shadow shadow;
    std::deque<void*> live;
    const auto free_oldest = [&] {
      if (live.front() != nullptr) shadow.dies(live.front());
      EXPECT_TRUE(live.front() == nullptr || release(live.front()));
      live.pop_front();
    };
    const Pass running;
    for (const PlanSlotDescription& slot : plan.variants[0].slots) {
      if (live.size() == 3) free_oldest();
      const std::size_t size = slot.size + slot.size * (dice() % 100) / (pass < 100 ? 300 : 101);
      live.push_back(allocate(size, slot.site.offset));
      served.push_back(live.back() != nullptr);
      if (live.back() != nullptr) shadow.born(live.back(), size);
    }
    while (!live.empty()) free_oldest();
  }
  EXPECT_GE(statistics().plans_grown, grown + 2);
  const auto last = static_cast<std::ptrdiff_t>(served.size() / 4);
  EXPECT_GT(std::count(served.end() - last, served.end(), true), last * 9 / 10);
}

TEST(Oracle, PlansThatGrowBySizesOnNoLineNeverGiveAByteTwice) {
  grow_by_sizes_on_no_line(plan_of_large_slots());
}

// The sizes follow no formula at all, but some requests happen to be on one.
TEST(Oracle, PlansWhoseFormulasLieNeverGiveAByteTwice) {
  PlanDescription plan = plan_of_large_slots();
  plan.variants[0].range = {.least = 1, .most = 2, .alone = 1, .varying = {{1, 8}, {1, 16}}};
  std::mt19937 dice(2);
  for (PlanSlotDescription& slot : plan.variants[0].slots)
    slot.formula = {.base = dice() % 1000,
                    .factor = 1 + dice() % 64,
                    .rounding = static_cast<std::uint32_t>(dice() % 64),
                    .powers = {1, static_cast<std::uint32_t>(dice() % 3)}};
  grow_by_sizes_on_no_line(plan);
}

// Blocks on their way from thread to thread: half of those that are made are freed at once, the others by whoever next
// comes by their place. A thread that gets no block frees one of these, or they would soon hold the whole slab, and nothing
// would happen any more.
class Parcels {
 public:
  // Passes on a block of `size` bytes, or null if the plan did not serve it. Returns true for a block.
  bool pass_on(void* block, std::size_t size, std::mt19937& dice) {
    if (block != nullptr) {
      shadow_.born(block, size);
      static_cast<char*>(block)[0] = static_cast<char*>(block)[size - 1] = 1;
    }
    const bool at_once = block != nullptr && dice() % 2 == 0;
    free_block(at_once ? block : places_[dice() % std::size(places_)].exchange(block));
    return block != nullptr;
  }

  // Counts the blocks that somebody lost on the way.
  std::size_t free_all() {
    for (std::atomic<void*>& place : places_) free_block(place.exchange(nullptr));
    return shadow_.live();
  }

 private:
  void free_block(void* block) {
    if (block == nullptr) return;
    shadow_.dies(block);
    EXPECT_EQ(*static_cast<char*>(block), 1);
    EXPECT_TRUE(release(block));
  }

  Shadow shadow_;
  std::atomic<void*> places_[64] = {};
};

// Gives back what no pass needs, as if much time had passed, or all that is idle.
void give_idle_memory_back(unsigned step) {
  if (step % 8 == 0) static_cast<void>(release_memory());
  set_idle_release(1);
  release_what_is_idle(coarse_nanoseconds_now());
}

// Threads run passes, on lanes that are fewer than they every other time, and free each other's blocks; one replaces plans.
// All at once, and with idle memory going back all the time, so that the shadow sees what only a race can bring about.
// Passes are of ever larger shapes, so that plans grow meanwhile; and go on until `enough`.
void threads_free_each_others_blocks(const PlanDescription& plan, const std::function<bool()>& enough) {
  static constexpr unsigned kThreads = 4;
  static constexpr unsigned kPasses = 1500;
  serve(plan);
  Parcels parcels;
  std::atomic<std::uint64_t> handed_out = 0;
  const std::uint64_t doubled = statistics().double_free;
  const auto work = [&](unsigned seed) {
    std::mt19937 dice(seed);
    for (unsigned pass = 0; pass < kPasses || !enough(); ++pass) {
      const std::size_t variant = dice() % plan.variants.size();
      const std::size_t t = dice() % (1 + std::min(pass, kPasses) / 100);
      Pass running(plan.variants[variant].pass_key);
      for (const PlanSlotDescription& slot : plan.variants[variant].slots) {
        const std::size_t size = slot.size + slot.formula.growth() * t;
        handed_out += parcels.pass_on(allocate(size, slot.site.offset), size, dice);
      }
      if (dice() % 16 == 0) give_idle_memory_back(pass);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= kThreads; ++seed) threads.emplace_back(work, seed);
  unsigned exchanged = 0;
  for (std::uint32_t round = 0; round < 20; ++round) {
    set_lanes(round % 2 * 2);
    exchanged += try_to_serve(plan);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(exchanged, 0u);
  EXPECT_EQ(parcels.free_all(), 0u);
  set_lanes(0);
  EXPECT_EQ(statistics().double_free, doubled);  // or an owner was lost on the way
  std::printf("%llu blocks of the slab checked on %u threads\n",
              static_cast<unsigned long long>(handed_out.load()), kThreads);
}

TEST(Stress, ThreadsFreeEachOthersBlocks) {
  threads_free_each_others_blocks(PlanDice(3).draw(), [] { return true; });
}

TEST(Stress, ThreadsFreeEachOthersBlocksOfAWidePlan) {
  threads_free_each_others_blocks(PlanDice(PlanDice::kFirstWide).draw(), [] { return true; });
}

TEST(Stress, PlansGrowUnderTheirPasses) {
  PlanDescription plan = PlanDice(5).draw();
  plan.variants.resize(1);
  const std::uint64_t grown = statistics().plans_grown;
  threads_free_each_others_blocks(plan, [grown] { return statistics().plans_grown > grown; });
}

// Workers without a pass of their own among the owners, each on a lane of its own by the worker variant; blocks go from hand
// to hand, plans are replaced. (Threads that end are the machine's: that the kernel orders what they wrote before, no
// sanitizer knows.)
void owners_and_workers_free_each_others_blocks(const PlanDescription& plan) {
  static constexpr int kOwners = 2;
  static constexpr int kWorkers = 3;
  static constexpr int kPasses = 300;
  serve(plan);
  Parcels parcels;
  std::atomic<int> owning = kOwners;
  std::atomic<bool> one_works = false;
  const std::uint64_t doubled = statistics().double_free;
  const auto make_blocks = [&](const PlanVariantDescription& variant, std::mt19937& dice) {
    for (const PlanSlotDescription& slot : variant.slots) {
      parcels.pass_on(ask(slot.size, 1, slot.site.offset), slot.size, dice);
    }
  };
  const auto own = [&](unsigned seed) {
    std::mt19937 dice(seed);
    for (int pass = 0; pass < kPasses || !one_works; ++pass) {
      Pass running(plan.variants[0].pass_key);
      make_blocks(plan.variants[0], dice);
    }
    --owning;
  };
  const auto work = [&](unsigned seed) {
    std::mt19937 dice(seed);
    while (owning != 0) {
      make_blocks(plan.variants.back(), dice);
      if (t_self.is_worker && t_self.lane != nullptr && t_self.served != 0) one_works = true;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= kOwners; ++seed) threads.emplace_back(own, seed);
  for (unsigned seed = 1; seed <= kWorkers; ++seed) threads.emplace_back(work, seed);
  unsigned exchanged = 0;
  for (int round = 0; round < 10; ++round) exchanged += try_to_serve(plan);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(exchanged, 0u);
  EXPECT_EQ(parcels.free_all(), 0u);
  EXPECT_EQ(statistics().double_free, doubled);
}

// The first drawn plan that has a variant for workers, whose passes no anchor opens: beside anchors there are no workers.
PlanDescription plan_for_workers(std::uint64_t seed) {
  PlanDescription plan = PlanDice(seed).draw();
  while (plan.variants.back().pass_key != kWorkerPassKey || !plan.anchors.empty())
    plan = PlanDice(++seed).draw();
  return plan;
}

TEST(Stress, OwnersAndWorkersFreeEachOthersBlocks) {
  owners_and_workers_free_each_others_blocks(plan_for_workers(1));
}

TEST(Stress, OwnersAndWorkersFreeEachOthersBlocksOfAWidePlan) {
  owners_and_workers_free_each_others_blocks(plan_for_workers(PlanDice::kFirstWide));
}

// However many threads claim it at once. Each enters its name where only the pass on the lane may.
TEST(Stress, ALaneHasOnePass) {
  static constexpr int kThreads = 4;
  set_lanes(2);
  serve(PlanDice(3).draw());
  std::atomic<int> passes_on[kMaxLanes] = {};
  std::atomic<bool> shared = false;
  const auto work = [&] {
    for (int step = 0; step < 100'000; ++step) {
      const Pass pass;
      if (t_self.lane == nullptr) continue;
      std::atomic<int>& passes = passes_on[t_self.lane - g_lanes];
      if (passes.fetch_add(1) != 0) shared = true;
      passes.fetch_sub(1);
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  set_lanes(0);
  EXPECT_FALSE(shared);
}

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)

// Something that happens at one instruction of something else: the processor traps after each while its trap flag is set,
// and the signal's handler waits for the one it is meant for.
struct Interruption {
  static constexpr std::uint64_t kTrapFlag = 0x100;

  // Runs `work`, and `act` after so many instructions of it. False: `work` was over before.
  template <typename Act, typename Work>
  static bool at(unsigned instruction, const Act& act, const Work& work) {
    const std::function<void()> action = act;
    to_act = &action;
    to_go = instruction;
    __writeeflags(__readeflags() | kTrapFlag);
    work();
    __writeeflags(__readeflags() & ~kTrapFlag);
    return to_go == 0;
  }

  // Acts at the chosen step. The rest of the work runs at full speed.
  static void handle(int, siginfo_t*, void* context) {
    to_go = to_go - 1;
    if (to_go != 0) return;
    (*to_act)();
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kTrapFlag);
  }

  static void install() {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, nullptr);
  }

  static inline volatile unsigned to_go;
  static inline const std::function<void()>* to_act;
};

// A signal handler that allocates: `size` bytes from `site`, or from whatever site is expected next.
struct Handler {
  std::size_t size;
  std::uint64_t site = kNoSite;
  void* block = nullptr;

  void operator()() {
    const std::uint64_t expected = t_self.cursor->site.load(std::memory_order_relaxed);
    const std::uint64_t caller = site == kNoSite ? expected : site;
    block = allocate(size, caller == kNoSite ? 1 : caller);
  }
};

// The handler gets other bytes than what it interrupts, at whichever instruction, and nobody's block is lost. Lanes run
// passes of the plan and workers' alike.
class Interrupted : public ::testing::Test {
 protected:
  void SetUp() override {
    PlanDescription plan = empty_plan();
    plan.cells = {128, 128, 128, 128};
    plan.variants = {{.slots = {cell_slot(1, 100, 0), cell_slot(1, 100, 1), large_slot(2, 4096, 0),
                                large_slot(2, 4096, 2048), cell_slot(1, 100, 2), large_slot(3, 4096, 8192),
                                cell_slot(4, 100, 3)}}};
    plan.variants.push_back(plan.variants.front());
    plan.variants.back().pass_key = kWorkerPassKey;
    serve(plan);
    Interruption::install();
  }
  void TearDown() override { std::signal(SIGTRAP, SIG_DFL); }

  void expect_apart(void* first, std::size_t first_size, void* second, std::size_t second_size) {
    for (const auto& [block, size] : {std::pair{first, first_size}, std::pair{second, second_size}}) {
      if (block == nullptr) continue;
      shadow_.born(block, size);
      EXPECT_GE(usable_size(block), size);
    }
    for (void* block : {first, second}) {
      if (block == nullptr) continue;
      shadow_.dies(block);
      EXPECT_TRUE(release(block));
    }
  }

  Shadow shadow_;
};

TEST_F(Interrupted, WhileACellIsTaken) {
  bool inside = true;
  for (unsigned instruction = 1; inside; ++instruction) {
    const Pass pass;
    Handler handler{.size = 100};
    void* block = nullptr;
    inside = Interruption::at(instruction, std::ref(handler), [&] { block = allocate(100, 1); });
    expect_apart(block, 100, handler.block, 100);
  }
}

// Somebody begins a pass meanwhile, so that the handler finds the worker's own to be over. Moving on takes some thousand
// instructions, and so not each of them is tried. A worker has one lane, whatever came in between.
TEST_F(Interrupted, WhileAWorkerTakesACellOrMovesOn) {
  LiveGauges before;
  look_at_serving(&before);
  g_running_passes.begin();
  for (const bool moves_on : {false, true}) {
    bool inside = true;
    for (unsigned instruction = 1; inside; instruction += moves_on ? 23 : 1) {
      EXPECT_EQ(move_worker_on(1), true);
      if (moves_on) g_running_passes.begin();
      void* theirs = nullptr;
      const auto handler = [&] {
        g_running_passes.begin();
        theirs = ask(100, 1, 1);
      };
      void* block = nullptr;
      inside = Interruption::at(instruction, handler, [&] {
        if (!moves_on || move_worker_on(1)) block = ask(100, 1, 1);
      });
      expect_apart(block, 100, theirs, 100);
    }
  }
  while (g_running_passes.count() != 0) g_running_passes.end();
  EXPECT_FALSE(move_worker_on(1));
  LiveGauges after;
  look_at_serving(&after);
  EXPECT_LE(after.worker_lanes, before.worker_lanes + 1);
}

TEST_F(Interrupted, WhileALargeSlotIsTaken) {
  bool inside = true;
  for (unsigned instruction = 1; inside; ++instruction) {
    const Pass pass;
    for (int cell = 0; cell < 2; ++cell) EXPECT_TRUE(release(allocate(100, 1)));
    Handler handler{.size = 4096};
    void* block = nullptr;
    inside = Interruption::at(instruction, std::ref(handler), [&] { block = allocate(4096, 2); });
    expect_apart(block, 4096, handler.block, 4096);
  }
}

// The handler asks for the very slot. What it gets may be what was just freed; it stays the handler's.
TEST_F(Interrupted, WhileABlockIsFreed) {
  for (const auto& [site, size] : {std::pair{4u, std::size_t{100}}, std::pair{3u, std::size_t{4096}}}) {
    bool inside = true;
    for (unsigned instruction = 1; inside; ++instruction) {
      const Pass pass;
      void* block = allocate(size, site);
      ASSERT_NE(block, nullptr);
      Handler handler{.size = size, .site = site};
      inside = Interruption::at(instruction, std::ref(handler), [&] { EXPECT_TRUE(release(block)); });
      expect_apart(nullptr, 0, handler.block, size);
    }
  }
}

// What the handler takes stays marked, although the interrupted thread was about to write the same word.
TEST_F(Interrupted, ByTheTakingOfAnotherSlotWhileABlockIsFreed) {
  bool inside = true;
  for (unsigned instruction = 1; inside; ++instruction) {
    const Pass pass;
    void* block = allocate(4096, 3);
    ASSERT_NE(block, nullptr);
    Handler handler{.size = 4096, .site = 2};
    inside = Interruption::at(instruction, std::ref(handler), [&] { EXPECT_TRUE(release(block)); });
    void* overlapping = allocate(4096, 2);
    expect_apart(handler.block, 4096, overlapping, 4096);
  }
}

// Another thread claims the lane, at whichever instruction of this one's claim: one of them has it.
TEST_F(Interrupted, WhileALaneIsClaimed) {
  Lane* lane = nullptr;
  {
    const Pass pass;
    lane = t_self.lane;
  }
  ASSERT_NE(lane, nullptr);
  const LoadedPlan* plan = lane->plan.load();
  bool inside = true;
  for (unsigned instruction = 1; inside; ++instruction) {
    bool ours = false;
    bool theirs = false;
    inside = Interruption::at(
        instruction, [&] { theirs = claim_lane(*lane, plan, 2); },
        [&] { ours = claim_lane(*lane, plan, 1); });
    EXPECT_NE(ours, theirs) << "after " << instruction << " instructions";
    give_lane(*lane);
  }
}

#endif

}  // namespace
}  // namespace memo::runtime
