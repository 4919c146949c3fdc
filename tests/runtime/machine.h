// A program for the arena, one operation after the other, checked at each: the tests make programs up at random,
// the fuzzer from bytes. Several threads take turns, so that their passes are open at once and each frees what others
// made, and one that is in no pass works for the others; and yet a failing program fails again. It prints as the code of a test.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "planner/layout/small_cells.h"
#include "planner/plan/plan_writer.h"
#include "runtime/formats/rounding.h"
#include "runtime/pass/arena.h"
#include "runtime/pass/workers.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/plan_in_force.h"

namespace memo::runtime::testing {

enum class Act : std::uint8_t {
  kPassBegin,   // with key `a`, where the thread's passes begin: one that is running is left without an end
  kPassInside,  // with key `a`, deeper in the stack: part of the running one
  kPassEnd,
  kPassOpen,    // with key `a`: at an anchor, whatever the thread is in
  kNext,        // what the plan expects
  kNextSized,   // from the expected site, but `b` bytes
  kSkip,        // `a` expected allocations do not happen
  kAgain,       // another iteration of the loop that is expected, or of another one
  kStray,       // from site `a`, `b` bytes
  kAligned,     // from site `a`, aligned to 2^(b % 22)
  kFree,        // the a-th live block
  kFreeAgain,   // the block that was freed last, if nobody lives there now
  kFreeInside,  // an address inside the a-th live block
  kResize,      // the a-th live block to `b` bytes
  kScopeBegin,  // name `a`
  kScopeEnd,
  kLoadPlan,    // the a-th plan, for b % 4 lanes at once; 0: for as many as there are passes
  kRelease,     // idle memory goes back: all of it, or what was idle for long
  kThread,      // the a-th thread goes on
  kThreadEnds,  // the a-th thread ends, whatever pass it is in; another takes its number
};
inline constexpr int kActs = 20;

struct Operation {
  Act act;
  std::uint32_t a;
  std::uint32_t b;
};

inline std::string as_code(const std::vector<Operation>& program) {
  static constexpr const char* kNames[kActs] = {
      "kPassBegin",  "kPassInside", "kPassEnd",  "kPassOpen", "kNext",      "kNextSized",  "kSkip",
      "kAgain",      "kStray",      "kAligned",  "kFree",     "kFreeAgain", "kFreeInside", "kResize",
      "kScopeBegin", "kScopeEnd",   "kLoadPlan", "kRelease",  "kThread",    "kThreadEnds"};
  std::ostringstream out;
  out << "run({";
  for (const Operation& step : program) {
    out << "\n  {Act::" << kNames[static_cast<int>(step.act)] << ", " << step.a << ", " << step.b << "},";
  }
  out << "\n});\n";
  return out.str();
}

// A plan drawn from a seed. Its large slots lie anywhere, so that they overlap as no solver would let them: the
// arena must not believe a plan. From kFirstWide on they are so many that their masks have several words. Variants may
// have a key in common, and begin alike, so that a pass changes over from one to the other; the last may be for workers.
// Loops lie in loops.
class PlanDice {
 public:
  static constexpr std::uint64_t kFirstWide = 7;

  explicit PlanDice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 | 1), wide_(seed >= kFirstWide) {}

  planner::PlanDescription draw() {
    planner::PlanDescription plan{.modules = {{}}, .cells = {}, .variants = {}};
    std::vector<planner::SmallBlock> small;
    const std::uint64_t variants = 2 + below(2);
    for (std::uint64_t number = 0; number < variants; ++number) {
      const planner::PlanVariantDescription* previous = number == 0 ? nullptr : &plan.variants.back();
      plan.variants.push_back(draw_variant(number, previous, small));
    }
    if (below(2) == 0)
      plan.anchors = {{.site = {0, 1}, .least = 1, .most = 1 + below(300), .pass_key = below(2)}};
    if (below(4) != 0) {
      plan.variants.push_back(draw_variant(variants, nullptr, small));
      plan.variants.back().pass_key = kWorkerPassKey;
    }
    const planner::SmallCells cells = planner::assign_small_cells(small);
    plan.cells = cells.cells;
    std::size_t next = 0;
    for (planner::PlanVariantDescription& variant : plan.variants) {
      for (planner::PlanSlotDescription& slot : variant.slots) {
        if (slot.zone == PlanZone::kCell) slot.place = cells.cell_of[next++];
      }
    }
    for (planner::PlanVariantDescription& variant : plan.variants) draw_lists(variant, plan.cells);
    for (planner::PlanVariantDescription& variant : plan.variants) draw_inner_loops(variant);
    return plan;
  }

  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % limit;
  }

 private:
  planner::PlanSlotDescription draw_slot() {
    planner::PlanSlotDescription slot{.site = {0, 1 + below(8)}, .size = 1 + below(300)};
    if (below(wide_ ? 2 : 4) == 0) {
      slot.zone = PlanZone::kLarge;
      slot.size = 1 + below(40000);
    }
    if (below(4) == 0) slot.formula = planner::line_from(slot.size, 1 + below(200));
    return slot;
  }

  planner::PlanVariantDescription draw_variant(std::uint64_t number,
                                               const planner::PlanVariantDescription* previous,
                                               std::vector<planner::SmallBlock>& small) {
    planner::PlanVariantDescription variant{.pass_key = below(2) * number};
    const std::uint64_t slots = wide_ ? 300 : 1 + below(60);
    const std::uint64_t alike = previous == nullptr ? 0 : below(previous->slots.size());
    for (std::uint64_t index = 0; index < slots; ++index) {
      planner::PlanSlotDescription slot = index < alike ? previous->slots[index] : draw_slot();
      slot.freed_at = static_cast<std::uint32_t>(std::min(slots, index + 1 + below(10)));
      if (slot.zone == PlanZone::kLarge) {
        slot.place = below(4) * below(400) * kGranule;
      } else {
        const auto begin = static_cast<planner::Time>(number * 1000 + index);
        small.push_back({.life = {begin, begin + 1 + static_cast<planner::Time>(below(10))},
                         .size = static_cast<planner::Bytes>(slot.size)});
      }
      variant.slots.push_back(slot);
    }
    draw_scopes(variant);
    draw_loops(variant);
    return variant;
  }

  static bool fits_list(const planner::PlanSlotDescription& slot,
                        const planner::PlanSlotDescription& with_list,
                        const std::vector<std::uint64_t>& cells) {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(with_list.place);
    return slot.size <= *std::min_element(first, first + with_list.cells);
  }

  // Makes lists of some slots, in loops or not, and says of others that smaller blocks were seen there. Slots may share a list,
  // two lists may have cells in common, and a slot's cell may be a list's.
  void draw_lists(planner::PlanVariantDescription& variant, std::vector<std::uint64_t>& cells) {
    const planner::PlanSlotDescription* last = nullptr;  // with a list
    for (planner::PlanSlotDescription& slot : variant.slots) {
      if (below(3) == 0) slot.spread = static_cast<std::uint32_t>(below(slot.size));
      if (slot.zone != PlanZone::kCell || below(8) != 0) continue;
      slot.zone = PlanZone::kList;
      const planner::PlanSlotDescription* shared = std::exchange(last, &slot);
      if (below(2) == 0) slot.formula = planner::line_from(slot.size, kGranule * below(3));
      if (slot.formula.exists()) slot.zone = PlanZone::kPool;
      if (shared != nullptr && below(2) == 0 && fits_list(slot, *shared, cells)) {
        slot.place = shared->place;
        slot.cells = shared->cells;
        continue;
      }
      slot.place = cells.size();
      slot.cells = 1 + static_cast<std::uint32_t>(below(6));
      cells.insert(cells.end(), slot.cells, whole_granules(slot.size));
      if (below(3) == 0 && cells[slot.place - 1] >= slot.size) --slot.place;
    }
  }

  // Over any slots and any scopes, whether they have to do with each other or not.
  void draw_loops(planner::PlanVariantDescription& variant) {
    std::uint32_t slot = 0;
    std::uint32_t scope = 0;
    for (std::uint64_t wanted = below(3); wanted > 0; --wanted) {
      const auto period = 1 + static_cast<std::uint32_t>(below(3));
      planner::PlanLoopDescription loop;
      loop.slots = 1 + static_cast<std::uint32_t>(below(8));
      loop.scopes = static_cast<std::uint32_t>(below(4));
      loop.first_slot = slot + static_cast<std::uint32_t>(below(8));
      loop.first_scope = scope + static_cast<std::uint32_t>(below(3));
      slot = loop.end_slot = loop.first_slot + period * loop.slots;
      scope = loop.end_scope = loop.first_scope + period * loop.scopes;
      if (slot > variant.slots.size() || scope > variant.scopes.size()) return;
      variant.loops.push_back(loop);
    }
  }

  // Lays loops into some iterations of loops, and not into others.
  void draw_inner_loops(planner::PlanVariantDescription& variant) {
    std::vector<planner::PlanLoopDescription> loops;
    for (const planner::PlanLoopDescription& loop : variant.loops) add_with_inner(loop, 1, loops);
    variant.loops = std::move(loops);
  }
  void add_with_inner(const planner::PlanLoopDescription& loop, std::uint32_t depth,
                      std::vector<planner::PlanLoopDescription>& loops) {
    loops.push_back(loop);
    if (depth == kMaxLoopDepth) return;
    const std::uint32_t period = (loop.end_slot - loop.first_slot) / loop.slots;
    for (std::uint32_t iteration = 0; iteration < period; ++iteration)
      if (below(3) != 0) add_inner(loop, iteration, depth, loops);
  }
  void add_inner(const planner::PlanLoopDescription& loop, std::uint32_t iteration, std::uint32_t depth,
                 std::vector<planner::PlanLoopDescription>& loops) {
    const auto up_to = [this](std::uint32_t most) { return static_cast<std::uint32_t>(below(most + 1)); };
    const std::uint32_t period = 1 + up_to(2);
    planner::PlanLoopDescription inner;
    inner.slots = 1 + up_to(loop.slots / period);
    if (period * inner.slots > loop.slots) return;
    inner.scopes = up_to(loop.scopes / period);
    inner.first_slot = loop.first_slot + iteration * loop.slots + up_to(loop.slots - period * inner.slots);
    inner.first_scope =
        loop.first_scope + iteration * loop.scopes + up_to(loop.scopes - period * inner.scopes);
    inner.end_slot = inner.first_slot + period * inner.slots;
    inner.end_scope = inner.first_scope + period * inner.scopes;
    add_with_inner(inner, depth + 1, loops);
  }

  void draw_scopes(planner::PlanVariantDescription& variant) {
    const auto slots = static_cast<std::uint32_t>(variant.slots.size());
    for (std::uint32_t first = 0; first < slots;) {
      const auto end = std::min(slots, first + 1 + static_cast<std::uint32_t>(below(10)));
      const auto outer = static_cast<std::uint32_t>(variant.scopes.size());
      variant.scopes.push_back({.name = name(below(4)), .first_slot = first, .end_slot = end});
      if (below(2) == 0) {
        variant.scopes.push_back(
            {.name = name(below(4)), .first_slot = first, .end_slot = end, .parent = outer});
      }
      first = end + static_cast<std::uint32_t>(below(3));
    }
  }

  static std::string name(std::uint64_t number) { return "scope" + std::to_string(number); }

  std::uint64_t state_;
  const bool wide_;
};

// Asks for a block as the injected library does: whether a worker moves on comes up where the plan's next slot does not answer.
inline void* ask(std::size_t size, std::size_t alignment, std::uint64_t site) {
  void* block;
  if (alignment <= kGranule && take_expected(size, site, &block)) return block;
  const Answer answered = answer(size, alignment, site);
  if (answered.boundary.kind == Boundary::Kind::kIsNone) return answered.block;
  if (answered.boundary.kind == Boundary::Kind::kMovesOn) static_cast<void>(move_worker_on(site));
  return allocate_aligned(size, alignment, site);
}

// A thread that does what it is told, one thing at a time, while whoever tells it waits.
class Helper {
 public:
  Helper() : thread_([this] { work(); }) {}
  ~Helper() {
    tell(nullptr);
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void run(const std::function<void()>& task) {
    tell(&task);
    done_.acquire();
  }

 private:
  void tell(const std::function<void()>* task) {
    task_ = task;
    told_.release();
  }
  void work() {
    for (;;) {
      told_.acquire();
      if (task_ == nullptr) return;
      (*task_)();
      done_.release();
    }
  }

  const std::function<void()>* task_ = nullptr;
  std::binary_semaphore told_{0};
  std::binary_semaphore done_{0};
  std::thread thread_;
};

class Machine {
 public:
  static constexpr std::uint32_t kPlans = 8;
  static constexpr std::uint32_t kThreads = 3;  // the caller's, and two helpers

  // `path` is where plans are written to be loaded.
  explicit Machine(std::string path) : path_(std::move(path)) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Leaves the passes, frees what lives.
  ~Machine() {
    pass_begin(0, kOutermost);
    pass_end();
    for (std::unique_ptr<Helper>& helper : helpers_) helper.reset();
    while (!live_.empty()) (void)free_block(0);
    set_lanes(0);
  }

  // Returns what went wrong, if something did.
  std::optional<std::string> run(std::span<const Operation> program) {
    for (std::size_t index = 0; index < program.size();) {
      std::size_t end = index;
      while (end < program.size() && !changes_thread(program[end])) ++end;
      if (auto wrong = run_on_current(program.subspan(index, end - index), index)) return wrong;
      if (end < program.size()) change_thread(program[end]);
      index = end + 1;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t handed_out() const { return handed_out_; }

 private:
  // The address that pass_begin takes for the stack: threads have stacks of their own, and it compares within one.
  static inline const void* const kOutermost = reinterpret_cast<const void*>(std::uintptr_t{1} << 20);
  static inline const void* const kInside = reinterpret_cast<const void*>(std::uintptr_t{1} << 19);

  struct Block {
    char* begin;
    std::size_t size;
    char mark;
  };

  // The place of a thread in the plan that it follows.
  struct Place {
    std::size_t variant = 0;
    std::size_t at = 0;
    std::size_t t = 0;  // of the shape of its pass: beyond the profile where it is not 0
    std::size_t stretch =
        0;  // where it is not 0, sizes on no line: each up to twice as large, by another factor
  };

  // Drawn once for all machines: the fuzzer makes one for each input.
  static const std::vector<planner::PlanDescription>& plans() {
    static const std::vector<planner::PlanDescription> kDrawn = [] {
      std::vector<planner::PlanDescription> drawn;
      for (std::uint32_t seed = 1; seed <= kPlans; ++seed) drawn.push_back(PlanDice(seed).draw());
      return drawn;
    }();
    return kDrawn;
  }

  static bool changes_thread(const Operation& operation) {
    return operation.act == Act::kThread || operation.act == Act::kThreadEnds;
  }

  void change_thread(const Operation& operation) {
    const std::uint32_t thread = operation.a % kThreads;
    if (operation.act == Act::kThread) current_ = thread;
    if (operation.act == Act::kThreadEnds && thread != 0) helpers_[thread].reset();
  }

  std::optional<std::string> run_on_current(std::span<const Operation> program, std::size_t first) {
    if (current_ == 0) return run_here(program, first);
    std::unique_ptr<Helper>& helper = helpers_[current_];
    if (helper == nullptr) helper = std::make_unique<Helper>();
    std::optional<std::string> wrong;
    helper->run([&] { wrong = run_here(program, first); });
    return wrong;
  }

  std::optional<std::string> run_here(std::span<const Operation> program, std::size_t first) {
    for (std::size_t index = 0; index < program.size(); ++index) {
      if (auto wrong = step(program[index]))
        return "operation " + std::to_string(first + index) + ": " + *wrong;
    }
    return std::nullopt;
  }

  std::optional<std::string> step(const Operation& operation) {
    switch (operation.act) {
      case Act::kPassBegin:
        return begin_pass(operation.a, kOutermost);
      case Act::kPassInside:
        return begin_pass(operation.a, kInside);
      case Act::kPassEnd:
        pass_end();
        return std::nullopt;
      case Act::kPassOpen:
        pass_open(operation.a % 4);
        return go_on_in_variant_of(operation.a);
      case Act::kNext:
        return allocate_next(0);
      case Act::kNextSized:
        return allocate_next(1 + operation.b % 50000);
      case Act::kSkip:
        here().at += operation.a % 4;
        return std::nullopt;
      case Act::kAgain:
        return go_round(operation.a);
      case Act::kStray:
        if (operation.b % 32 == 0) lose_the_plan();
        return born(ask(operation.b % 50000, 1, 1 + operation.a % 10), operation.b % 50000, 1);
      case Act::kAligned:
        return allocate_with_alignment(1 + operation.a % 10, std::size_t{1} << operation.b % 22);
      case Act::kFree:
        return live_.empty() ? std::nullopt : free_block(operation.a % live_.size());
      case Act::kFreeAgain:
        return free_again();
      case Act::kFreeInside:
        return free_inside(operation.a);
      case Act::kResize:
        return resize(operation.a, operation.b % 50000);
      case Act::kScopeBegin:
        return begin_scope(operation.a);
      case Act::kScopeEnd:
        return end_scope();
      case Act::kLoadPlan:
        return load(operation.a % kPlans, operation.b % 4);
      case Act::kRelease:
        return give_idle_memory_back(operation.a);
      case Act::kThread:
      case Act::kThreadEnds:
        break;
    }
    return "no such operation";
  }

  Place& here() { return places_[current_]; }

  std::optional<std::string> begin_pass(std::uint32_t key, const void* frame) {
    pass_begin(key % 4, frame, key / 4 % 3);  // of no object, or one of two
    return go_on_in_variant_of(key);
  }

  std::optional<std::string> go_on_in_variant_of(std::uint32_t key) {
    here() = {.variant = key / 4 % plans()[loaded_].variants.size(),
              .at = 0,
              .t = key % 1000 < 600 ? 0 : key % 1000 / 100,
              .stretch = key % 1000 < 600 && key % 3 == 0 ? key : 0};
    return std::nullopt;
  }

  std::optional<std::string> go_round(std::uint32_t pick) {
    const auto& variants = plans()[loaded_].variants;
    const auto& loops = variants[here().variant % variants.size()].loops;
    if (!loops.empty()) here().at = loops[pick % loops.size()].first_slot;
    return std::nullopt;
  }

  // Tells the arena of most operators, and of few where the thread ignores them: hooks then tell of none, and marks of all.
  bool is_told(std::uint32_t chance) { return !t_self.ignores_operators || chance % 4 == 0; }

  std::optional<std::string> end_scope() {
    if (is_told(static_cast<std::uint32_t>(here().at))) scope_end();
    return std::nullopt;
  }

  std::optional<std::string> begin_scope(std::uint32_t name) {
    if (is_told(name / 5)) scope_begin(scope_name_hash(("scope" + std::to_string(name % 5)).c_str()));
    return std::nullopt;
  }

  std::optional<std::string> allocate_next(std::size_t other_size) {
    const auto& variants = plans()[loaded_].variants;
    const auto& slots = variants[here().variant % variants.size()].slots;
    const std::size_t number = here().at++ % slots.size();
    const planner::PlanSlotDescription& slot = slots[number];
    const std::size_t size =
        other_size != 0 ? other_size : slot.size + slot.formula.growth() * here().t + stretched(slot, number);
    return born(ask(size, 1, slot.site.offset), size, 1);
  }

  // Returns by how much a block is larger where its pass has sizes on no line.
  [[nodiscard]] std::size_t stretched(const planner::PlanSlotDescription& slot, std::size_t number) {
    if (here().stretch == 0 || slot.formula.is_line()) return 0;
    return slot.size * ((number + here().stretch) * 7 % 9) / 8;
  }

  // The pass gives up.
  static void lose_the_plan() {
    for (int strays = 0; strays < 128; ++strays) (void)ask(100, 1, 99);
  }

  std::optional<std::string> allocate_with_alignment(std::uint64_t site, std::size_t alignment) {
    return born(ask(100, alignment, site), 100, alignment);
  }

  std::optional<std::string> born(void* memory, std::size_t size, std::size_t alignment) {
    if (memory == nullptr) return std::nullopt;
    auto* begin = static_cast<char*>(memory);
    if (!owns(begin) || !owns(begin + size)) return "a block outside of the slab";
    if (usable_size(begin) < size) return "a block that is too small";
    if (reinterpret_cast<std::uintptr_t>(begin) % alignment != 0) return "a block that is not aligned";
    const auto next = by_address_.lower_bound(begin);
    if (next != by_address_.end() && begin + usable_size(begin) > next->first)
      return "a byte handed out twice";
    if (next != by_address_.begin() && std::prev(next)->first + std::prev(next)->second > begin) {
      return "a byte handed out twice";
    }
    by_address_[begin] = size;
    const Block block{begin, size, static_cast<char>(++handed_out_)};
    write_marks(block);
    live_.push_back(block);
    return std::nullopt;
  }

  // A mark lies at both ends of a block, and in each of its pages.
  template <typename Visitor>
  static void for_each_mark(const Block& block, Visitor visit) {
    constexpr std::size_t kPage = 4096;
    for (std::size_t at = 0; at < block.size; at += kPage) visit(block.begin[at]);
    if (block.size != 0) visit(block.begin[block.size - 1]);
  }
  static void write_marks(const Block& block) {
    for_each_mark(block, [&](char& byte) { byte = block.mark; });
  }
  [[nodiscard]] static bool has_its_marks(const Block& block) {
    bool whole = true;
    for_each_mark(block, [&](char& byte) { whole = whole && byte == block.mark; });
    return whole;
  }

  // Of lanes that are idle for long, each look is the first in a long time.
  std::optional<std::string> give_idle_memory_back(std::uint32_t pick) {
    if (pick % 2 == 0) return static_cast<void>(release_memory()), std::nullopt;
    set_idle_release(1);
    release_what_is_idle(now_ += 1'000'000);
    return std::nullopt;
  }

  std::optional<std::string> free_block(std::size_t index) {
    const Block block = live_[index];
    live_[index] = live_.back();
    live_.pop_back();
    by_address_.erase(block.begin);
    freed_ = block.begin;
    const bool whole = has_its_marks(block);
    if (!release(block.begin)) return "a block that the arena does not know";
    return whole ? std::nullopt : std::optional<std::string>("a block that somebody else wrote to");
  }

  std::optional<std::string> free_again() {
    if (freed_ == nullptr || by_address_.contains(freed_)) return std::nullopt;
    return release(freed_) ? std::nullopt : std::optional<std::string>("an address that is not the slab's");
  }

  std::optional<std::string> free_inside(std::uint32_t pick) {
    if (live_.empty()) return std::nullopt;
    const Block& block = live_[pick % live_.size()];
    if (block.size < 2) return std::nullopt;
    char* inside = block.begin + 1 + pick % (block.size - 1);
    return release(inside) ? std::nullopt
                           : std::optional<std::string>("an inner address that is not the slab's");
  }

  std::optional<std::string> resize(std::uint32_t pick, std::size_t size) {
    if (live_.empty()) return std::nullopt;
    Block& block = live_[pick % live_.size()];
    if (!resize_in_place(block.begin, size, 1 + pick % 10)) return std::nullopt;
    block.size = size;
    by_address_[block.begin] = size;
    write_marks(block);
    return usable_size(block.begin) < size ? std::optional<std::string>("resized beyond its slot")
                                           : std::nullopt;
  }

  std::optional<std::string> load(std::uint32_t number, std::uint32_t lanes) {
    planner::write_plan(plans()[number], path_);
    set_lanes(lanes);
    if (!serve_plan(path_.c_str())) return std::nullopt;  // no address space left, say: the old one goes on
    loaded_ = number;
    return std::nullopt;
  }

  const std::string path_;
  std::uint32_t loaded_ = 0;
  std::uint32_t current_ = 0;
  Place places_[kThreads];
  std::unique_ptr<Helper> helpers_[kThreads];  // the first has none: it is the caller
  std::vector<Block> live_;
  std::map<char*, std::size_t> by_address_;
  char* freed_ = nullptr;
  std::int64_t now_ = 0;  // of the looks for idle lanes
  std::uint64_t handed_out_ = 0;
};

}  // namespace memo::runtime::testing
