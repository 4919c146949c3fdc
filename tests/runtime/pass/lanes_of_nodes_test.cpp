// Lanes on a machine of several nodes, which the tests make up: a thread's lane lies on the thread's node, as long as there is
// one. Failure: a lane of another node where one of the own is free, a thread without a lane while any is free, a lane with
// two threads, or pages that the kernel is asked to place on another node than the one that the lane is counted for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/platform/nodes.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/region.h"
#include "runtime/slab/thread_state.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"
#include "tests/runtime/serving/texts.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::size_t kBlockBytes = 1 << 16;
constexpr std::uint64_t kSite = 1;

PlanDescription plan_of_one_block() {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  plan.variants[0].slots.push_back(large_slot(kSite, kBlockBytes, 0));
  return plan;
}

struct Placement {
  Node node;
  PagesThere there;
};

thread_local Node t_node = 0;
std::atomic<bool> g_kernel_refuses{false};
std::mutex g_placements_mutex;
std::map<void*, Placement> g_placements;  // by the first byte of what was placed

bool place(void* memory, std::size_t, Node node, PagesThere there) {
  if (g_kernel_refuses.load()) return false;
  const std::lock_guard lock(g_placements_mutex);
  g_placements[memory] = {node, there};
  return true;
}

constexpr Nodes kMadeUp{.here = [] { return t_node; }, .prefer = place};

std::optional<Placement> placement_of(void* memory) {
  const std::lock_guard lock(g_placements_mutex);
  const auto found = g_placements.find(memory);
  return found == g_placements.end() ? std::nullopt : std::optional(found->second);
}

char* slab_of(const Lane& lane) {
  return g_region.at(lane.first_granule);
}

void begin_pass() {
  pass_begin(0, __builtin_frame_address(0));
}

struct Begun {
  Lane* lane;
  bool is_served;
};

// Runs a pass of one block on the calling thread.
Begun run_one_pass() {
  const Pass pass;
  void* block = allocate(kBlockBytes, kSite);
  if (block != nullptr) release(block);
  return {t_self.lane, block != nullptr};
}

// A thread that the tests put on a node.
class Bound {
 public:
  explicit Bound(Node node) { move_to(node); }

  void move_to(Node node) {
    helper_.run([node] { t_node = node; });
  }
  Lane* run() {
    Begun begun{};
    helper_.run([&] { begun = run_one_pass(); });
    EXPECT_TRUE(begun.is_served);
    return begun.lane;
  }
  Lane* begin() {
    Lane* lane = nullptr;
    helper_.run([&] {
      begin_pass();
      lane = t_self.lane;
    });
    return lane;
  }
  void end() { helper_.run(pass_end); }
  void do_now(const std::function<void()>& task) { helper_.run(task); }

 private:
  Helper helper_;
};

class LanesOfNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    serve(plan_of_one_block());
    g_nodes.store(&kMadeUp);
    begin_with_lanes(0);
  }
  void TearDown() override {
    g_kernel_refuses.store(false);
    g_nodes.store(nullptr);
    set_lanes(0);
  }

  // This thread, on node 0, loads the plan.
  static void begin_with_lanes(std::uint32_t lanes) {
    t_node = 0;
    set_lanes(lanes);
    {
      const std::lock_guard lock(g_placements_mutex);
      g_placements.clear();
    }
    serve(plan_of_one_block());
    own_before = statistics().own_node;
    other_before = statistics().other_node;
    refused_before = refused_placements();
  }

  static std::uint64_t on_own() { return statistics().own_node - own_before; }
  static std::uint64_t on_other() { return statistics().other_node - other_before; }
  static std::uint64_t refused() { return refused_placements() - refused_before; }

  static inline std::uint64_t own_before, other_before, refused_before;
};

TEST_F(LanesOfNodes, OfAMachineOfOneAreAsBefore) {
  g_nodes.store(nullptr);
  begin_with_lanes(0);
  Bound first(0);
  Bound second(1);
  Lane* lane = first.run();
  EXPECT_EQ(second.run(), lane);
  EXPECT_EQ(lane->node.load(), kNoNode);
  EXPECT_EQ(on_own() + on_other() + refused(), 0U);
  EXPECT_FALSE(placement_of(slab_of(*lane)));
}

TEST_F(LanesOfNodes, AreBroughtUpWhereTheThreadRuns) {
  Bound near(0);
  Bound far(1);
  Lane* of_near = near.run();
  Lane* of_far = far.run();
  ASSERT_NE(of_near, of_far);
  EXPECT_EQ(placement_of(slab_of(*of_near))->node, 0);
  EXPECT_EQ(placement_of(slab_of(*of_far))->node, 1);
  EXPECT_EQ(placement_of(g_region.owners + of_far->first_granule)->node, 1);
  for (int pass = 0; pass < 5; ++pass) {
    EXPECT_EQ(far.run(), of_far);
    EXPECT_EQ(near.run(), of_near);
  }
  EXPECT_EQ(on_own(), 12U);
  EXPECT_EQ(on_other() + refused(), 0U);
}

TEST_F(LanesOfNodes, OfAThreadThatMovesAreThoseWhereItIs) {
  Bound thread(0);
  Lane* before = thread.run();
  thread.move_to(1);
  Lane* after = thread.run();
  EXPECT_NE(before, after);
  thread.move_to(0);
  EXPECT_EQ(thread.run(), before);
  thread.move_to(1);
  EXPECT_EQ(thread.run(), after);
  EXPECT_EQ(on_other(), 0U);
}

// The thread that loads the plan prepares the pages; the threads that use them decide where they lie.
TEST_F(LanesOfNodes, WithPagesMoveToTheFirstThatTakesThem) {
  begin_with_lanes(2);
  Bound far(1);
  Lane* lane = far.run();
  EXPECT_EQ(lane->node.load(), 1);
  EXPECT_EQ(placement_of(slab_of(*lane))->node, 1);
  EXPECT_EQ(placement_of(slab_of(*lane))->there, PagesThere::kMove);
  Bound near(0);
  EXPECT_EQ(placement_of(slab_of(*near.run()))->there, PagesThere::kStay);
  EXPECT_EQ(on_own(), 2U);
}

TEST_F(LanesOfNodes, OfAnotherAreTakenRatherThanNone) {
  begin_with_lanes(2);
  Bound one(0);
  Bound two(0);
  Bound far(1);
  one.begin();
  Lane* lane = two.begin();
  two.end();
  EXPECT_EQ(far.run(), lane);
  EXPECT_EQ(lane->node.load(), 0);
  EXPECT_EQ(placement_of(slab_of(*lane))->node, 0);
  EXPECT_EQ(on_other(), 1U);
  EXPECT_EQ(on_own(), 2U);
  one.end();
}

TEST_F(LanesOfNodes, ThatGaveTheirPagesBackGoToAnyNode) {
  Bound near(0);
  Lane* lane = near.run();
  static_cast<void>(release_memory());
  Bound far(1);
  EXPECT_EQ(far.run(), lane);
  EXPECT_EQ(lane->node.load(), 1);
  EXPECT_EQ(placement_of(slab_of(*lane))->node, 1);
  EXPECT_EQ(on_own(), 2U);
  EXPECT_NE(near.run(), lane);
}

TEST_F(LanesOfNodes, LieWhereTheyAreTouchedIfTheKernelRefuses) {
  g_kernel_refuses.store(true);
  begin_with_lanes(0);
  Bound near(0);
  Bound far(1);
  Lane* of_far = far.run();
  Lane* of_near = near.run();
  EXPECT_NE(of_far, of_near);
  EXPECT_EQ(of_far->node.load(), 1);
  EXPECT_EQ(far.run(), of_far);
  EXPECT_EQ(on_own(), 3U);
  EXPECT_GE(refused(), 2U);
}

TEST_F(LanesOfNodes, WithPagesThatCannotMoveCountForWhereTheyAre) {
  g_kernel_refuses.store(true);
  begin_with_lanes(1);
  Bound far(1);
  EXPECT_EQ(far.run()->node.load(), 0);
  EXPECT_EQ(on_other(), 1U);
  EXPECT_EQ(on_own(), 0U);
}

TEST_F(LanesOfNodes, KeepTheirNodeAsThePlanGrows) {
  serve(plan_of_texts());
  Bound far(1);
  const std::uint64_t grown = statistics().plans_grown;
  constexpr std::size_t kLarger = 3 * kBytes / 2;
  far.do_now([&] {
    EXPECT_EQ(run_pass(kLarger), 1);
    EXPECT_TRUE(comes_true([&] { return run_pass(kLarger) == 3; }));
  });
  EXPECT_EQ(statistics().plans_grown, grown + 1);
  Lane* lane = far.begin();
  far.end();
  EXPECT_EQ(lane->node.load(), 1);
  EXPECT_EQ(placement_of(slab_of(*lane))->node, 1);
  EXPECT_EQ(on_other(), 0U);
}

// What the oracle knows of a lane, from the passes that it saw and never from the lane itself.
struct Known {
  std::optional<Node> node;  // nothing: it has no pages yet, or gave them back
  bool used = false;
  bool has_memory = false;
  int held_by = -1;
};

// Ranks what a pass may find, best first.
int rank(const Known& lane, Node here) {
  if (!lane.has_memory) return 3;
  if (!lane.node) return 2;
  if (*lane.node == here) return 0;
  return lane.used ? 4 : 1;
}

class Oracle {
 public:
  Oracle() {
    for (Lane& lane : g_lanes) {
      if (lane.plan.load() != g_plan.load()) continue;
      const bool is_backed = has_memory(lane);
      lanes_[&lane] = {.node = is_backed ? std::optional<Node>(0) : std::nullopt, .has_memory = is_backed};
    }
  }

  // A pass of the thread begins on the lane; it is on node `here`.
  void begins(int thread, Node here, Lane* lane) {
    int best = 5;
    for (const auto& [other, known] : lanes_)
      if (known.held_by < 0) best = std::min(best, rank(known, here));
    if (best == 5) return RC_ASSERT(lane == nullptr);
    RC_ASSERT(lanes_.contains(lane));
    Known& known = lanes_[lane];
    RC_ASSERT(known.held_by < 0);
    RC_ASSERT(rank(known, here) == best);
    if (best != 4) known.node = here;
    known.used = known.has_memory = true;
    known.held_by = thread;
    RC_ASSERT(lane->node.load() == *known.node);
    RC_ASSERT(placement_of(slab_of(*lane))->node == *known.node);
    ++(best == 4 ? on_other : on_own);
  }
  void ends(int thread) {
    for (auto& [lane, known] : lanes_)
      if (known.held_by == thread) known.held_by = -1;
  }
  void all_idle_go() {
    for (auto& [lane, known] : lanes_)
      if (known.held_by < 0 && known.has_memory) known.node.reset();
  }

  std::uint64_t on_own = 0, on_other = 0;

 private:
  std::map<Lane*, Known> lanes_;
};

struct BoundThread {
  int thread;
  bool in_pass = false;
  Node node = 0;
  std::unique_ptr<Bound> bound = std::make_unique<Bound>(0);
};

RC_GTEST_FIXTURE_PROP(LanesOfNodes, AreNeverSharedAndTheBestThatIsFree, ()) {
  constexpr int kThreads = 6;
  begin_with_lanes(*rc::gen::inRange<std::uint32_t>(1, kThreads + 2));
  Oracle oracle;
  std::vector<BoundThread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.push_back({.thread = thread});
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, kThreads * 12));
  for (const int step : steps) {
    BoundThread& one = threads[static_cast<std::size_t>(step % kThreads)];
    const int what = step / kThreads;
    if (what == 0) {
      static_cast<void>(release_memory());
      oracle.all_idle_go();
    } else if (what <= 3) {
      one.node = static_cast<Node>(what - 1);
      one.bound->move_to(one.node);
    } else if (one.in_pass) {
      one.bound->end();
      oracle.ends(one.thread);
      one.in_pass = false;
    } else {
      oracle.begins(one.thread, one.node, one.bound->begin());
      one.in_pass = true;
    }
  }
  for (const BoundThread& one : threads)
    if (one.in_pass) one.bound->end();
  RC_ASSERT(on_own() == oracle.on_own);
  RC_ASSERT(on_other() == oracle.on_other);
}

// Threads of two nodes at once, on as many lanes as they need. Where two reach for the same new lane, the one that comes late
// may take it as a lane of the other's node.
TEST_F(LanesOfNodes, OfThreadsAtOnceAreTheirOwn) {
  constexpr int kThreads = 4;
  constexpr int kPasses = 2000;
  static std::array<std::atomic<int>, kMaxLanes> holders{};
  std::atomic<int> shared{0};
  std::atomic<int> unserved{0};
  const auto work = [&](Node node) {
    t_node = node;
    for (int pass = 0; pass < kPasses; ++pass) {
      begin_pass();
      Lane* lane = t_self.lane;
      if (lane == nullptr) ++unserved;
      if (lane != nullptr && holders[static_cast<std::size_t>(lane - g_lanes)].fetch_add(1) != 0) ++shared;
      void* block = allocate(kBlockBytes, kSite);
      if (block != nullptr) release(block);
      if (lane != nullptr) holders[static_cast<std::size_t>(lane - g_lanes)].fetch_sub(1);
      pass_end();
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, static_cast<Node>(thread % 2));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.load(), 0);
  EXPECT_EQ(unserved.load(), 0);
  EXPECT_EQ(on_own() + on_other(), std::uint64_t{kThreads} * kPasses);
  EXPECT_LE(on_other(), 2U * kThreads);
}

}  // namespace
}  // namespace memo::runtime
