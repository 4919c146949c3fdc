#include "runtime/pass/match.h"

#include <algorithm>
#include <span>

#include "runtime/pass/loop_cursor.h"
#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/ticks.h"
#include "runtime/serving/serving.h"
#include "runtime/slab/accounts.h"

namespace memo::runtime {
namespace {

constexpr std::uint32_t kTries = 8;                // candidates looked at in each direction
constexpr std::uint32_t kTriesWithoutScopes = 48;  // the same, for variants without operators
constexpr std::uint32_t kSpareTries = 64;          // cells looked at when all slots of the site are taken
constexpr std::uint32_t kSpareWaste = 4;  // cells of more than this many times the size are taken last
constexpr std::uint32_t kPatience = 128;  // misses in a row after which a pass stops trying

// One allocation that the fast path did not serve.
class Match {
 public:
  Match(ThreadState& self, const HotSlot* cursor, const Request& request)
      : self_(self),
        lane_(*self.lane),
        progress_(lane_.progress),
        variant_(lane_.variant.load(std::memory_order_relaxed)),
        request_(request),
        tries_(variant_->scope_count == 0 ? kTriesWithoutScopes : kTries),
        at_(static_cast<std::uint32_t>(cursor - variant_->hot)) {}

  void* find() {
    if (at_ == variant_->slot_count && is_for_workers(*variant_))
      move_to(0);  // workers repeat the same piece of work
    void* block = nullptr;
    bool expected = asks_for(at_);
    if (expected && answers(at_, block)) return block;
    const std::uint32_t resume = progress_.resume;
    if (resume != kNone && asks_for(resume) && answers(resume, block)) return block;
    if (!expected && turn()) {
      expected = true;
      if (answers(at_, block)) return block;
    }
    if (change_variant(expected)) {
      expected = true;
      if (answers(at_, block)) return block;
    }
    if (expected) {
      note_growth();
      move_to(at_ + 1);
    }
    return search(expected, block) ? block : miss();
  }

  // Returns the slot at which the pass goes on; kNoPass once it stops trying.
  [[nodiscard]] const HotSlot* cursor() const {
    return progress_.misses_in_row < kPatience ? variant_->hot + at_ : &kNoPass;
  }

 private:
  [[nodiscard]] bool asks_for(std::uint32_t slot) const {
    return variant_->hot[slot].site.load(std::memory_order_relaxed) == request_.site;
  }

  void move_to(std::uint32_t slot) {
    at_ = slot;
    progress_.resume = kNone;
  }

  // Notes that the expected slot is too small. Requests that only share its site prove nothing about the shape.
  void note_growth() {
    if (request_.size <= capacity(at_)) return;
    const PlanSlot& slot = variant_->slots[at_];
    if (slot.growth != 0) return progress_.growth.add(slot, request_.size);
    if (request_.size <= slot.size) return;  // a cell, which cannot become larger
    ++progress_.outgrown;
    raise(variant_->seen[at_], request_.size);
  }

  [[nodiscard]] std::uint64_t capacity(std::uint32_t slot) const {
    const std::uint32_t bytes = variant_->hot[slot].bytes;
    return bytes != 0 ? bytes : variant_->large[variant_->large_of[slot]].bytes;
  }

  [[nodiscard]] bool is_left_to_heap(std::uint32_t slot) const {
    return variant_->hot[slot].bytes == 0 && variant_->large[variant_->large_of[slot]].bytes == 0;
  }

  // Returns true if the slot has a block for the request, or if the plan leaves the request to the heap, which
  // it foresaw and is no miss. Returns false if the slot cannot be used.
  bool answers(std::uint32_t slot, void*& block) {
    if (is_left_to_heap(slot)) {
      leave_to_heap();
    } else {
      block = take(slot);
      if (block == nullptr) return false;
    }
    move_to(slot + 1);
    return true;
  }

  void leave_to_heap() {
    ++progress_.fallback[static_cast<int>(Reason::kUnplanned)];
    progress_.fallback_bytes += request_.size;
  }

  void note(Reason reason) {
    if (!noted_) why_ = reason;
    noted_ = true;
  }

  void* refuse(Reason reason) {
    note(reason);
    return nullptr;
  }

  void* serve(char* block, std::uint64_t bytes) {
    ++self_.served;
    self_.served_bytes += request_.size;
    checker::hand_out(block, bytes);
    return block;
  }

  void* take(std::uint32_t slot) {
    const HotSlot& hot = variant_->hot[slot];
    return hot.bytes != 0 ? take_cell({hot.granule, hot.bytes}) : take_large(variant_->large_of[slot]);
  }

  void* take_cell(CellPlace cell) {
    char* block = self_.base + std::uint64_t{cell.granule} * kGranule;
    if (request_.size > cell.bytes) return refuse(Reason::kTooBig);
    if (!is_aligned(block, request_.alignment)) return refuse(Reason::kAlignment);
    std::atomic<Owner>& owner = self_.owners[cell.granule];
    if (owner.load(std::memory_order_acquire) != kNobody) return refuse(Reason::kOccupied);
    owner.store(static_cast<Owner>(cell.bytes / kGranule), std::memory_order_relaxed);
    return serve(block, cell.bytes);
  }

  // Takes the smallest cells that are large enough first. Each search goes on after the cell that the last one
  // took: blocks that live long hold the cells before it, and a loop with more iterations than planned would
  // look at those in each iteration.
  void* take_spare_cell(std::span<const CellPlace> cells) {
    const CellPlace* first = first_of_bytes(cells, request_.size);
    // In a plan that grew the cells may not be sorted any more, so `end` could lie before `first`.
    const CellPlace* end = std::max(first, first_of_bytes(cells, kSpareWaste * (request_.size + kGranule)));
    if (void* block = take_next_of({first, end})) return block;
    return take_next_of({end, cells.data() + cells.size()});
  }

  static const CellPlace* first_of_bytes(std::span<const CellPlace> cells, std::uint64_t bytes) {
    return std::partition_point(cells.data(), cells.data() + cells.size(),
                                [bytes](const CellPlace& smaller) { return smaller.bytes < bytes; });
  }

  void* take_next_of(std::span<const CellPlace> cells) {
    const std::size_t tries = std::min<std::size_t>(cells.size(), kSpareTries);
    for (std::size_t number = 0; number < tries; ++number) {
      if (void* block = take_cell(cells[progress_.next_spare++ % cells.size()])) return block;
    }
    return nullptr;
  }

  void* take_large(std::uint32_t large) {
    const LargeSlot& slot = variant_->large[large];
    if (slot.bytes == 0) return refuse(Reason::kUnplanned);
    char* block = self_.base + std::uint64_t{slot.granule} * kGranule;
    if (request_.size > slot.bytes) return refuse(Reason::kTooBig);
    if (!is_aligned(block, request_.alignment)) return refuse(Reason::kAlignment);
    if (!lane_.live.allow(slot)) return refuse(Reason::kOccupied);
    lane_.live.take(large);
    self_.owners[slot.granule].store(static_cast<Owner>(kLargeOwner + large), std::memory_order_relaxed);
    return serve(block, slot.bytes);
  }

  // Moves a pass that stands between two iterations to another iteration of the loop, or past the loop. Returns
  // false if neither fits the request.
  bool turn() {
    const std::uint32_t slot = turn_to_slot(lane_, *variant_, at_, request_.site);
    if (slot == kNone) return false;
    move_to(slot);
    return true;
  }

  // Changes to another variant whose slot at this very position is the one asked for: the pass has another
  // shape than it seemed to have. Only possible while no large slot is live: all variants share the cells, but
  // not the large slots.
  bool change_variant(bool expected) {
    const LoadedPlan& plan = *lane_.plan.load(std::memory_order_relaxed);
    if (plan.variants.size() < 2 || !large_empty(lane_)) return false;
    const auto of_this_size = [this](const PlanSlot& slot) { return slot.size == request_.size; };
    const auto of_some_t = [this](const PlanSlot& slot) { return is_on_line(slot, request_.size); };
    // A block that is larger than planned is no reason to leave a variant with loops for one without: the rest
    // of the pass would find nothing there.
    const bool only_loops = expected && !variant_->loops.empty();
    const Variant* other = find_variant(plan, only_loops, of_this_size);
    if (other == nullptr && !(expected && of_some_t(variant_->slots[at_])))
      other = find_variant(plan, only_loops, of_some_t);
    if (other == nullptr) return false;
    go_on_in(*other);
    return true;
  }

  template <typename Meant>
  [[nodiscard]] const Variant* find_variant(const LoadedPlan& plan, bool only_loops, Meant meant) const {
    for (const Variant& other : plan.variants) {
      if (&other == variant_ || !progress_.wanted.fits(other) || at_ >= other.slot_count) continue;
      if (only_loops && other.loops.empty()) continue;
      const bool same_site = other.hot[at_].site.load(std::memory_order_relaxed) == request_.site;
      if (same_site && meant(other.slots[at_])) return &other;
    }
    return nullptr;
  }

  // Goes on in `other` at the same slot. The variants of one network have the same scopes at the start; where
  // they do not, the begin of the next scope moves the cursor to the right place.
  void go_on_in(const Variant& other) {
    variant_ = &other;
    progress_.growth = {};
    progress_.outgrown = 0;
    lane_.variant.store(&other, std::memory_order_relaxed);
    for (std::uint32_t name = 0; name < other.name_count; ++name)
      lane_.next_of_name[name] = other.names[name].first;
    std::uint32_t scope = 0;
    for (; scope < other.scope_count && other.scopes[scope].first_slot <= at_; ++scope) {
      if (scope >= progress_.next_scope) break;
      lane_.next_of_name[other.links[scope].name] = other.links[scope].next_same_name;
    }
    progress_.next_scope = scope;
    const std::uint32_t open =
        progress_.open_scopes < kMaxOpenScopes ? progress_.open_scopes : kMaxOpenScopes;
    for (std::uint32_t level = 0; level < open; ++level) {
      if (progress_.open[level] >= scope) progress_.open[level] = kNone;
    }
    progress_.resume = kNone;
  }

  [[nodiscard]] std::uint32_t end_of_scope() const {
    if (progress_.open_scopes == 0 || progress_.open_scopes > kMaxOpenScopes) return variant_->slot_count;
    const std::uint32_t scope = progress_.open[progress_.open_scopes - 1];
    return scope == kNone ? at_ : variant_->scopes[scope].end_slot;
  }

  // Returns true if there is a block, or if the plan leaves the request to the heap. Where the slots of this site
  // are such, no spare cell is taken either: the block would hold it beyond the pass.
  bool search(bool expected, void*& block) {
    const LoadedPlan& plan = *lane_.plan.load(std::memory_order_relaxed);
    const std::uint32_t site = find_site(plan.sites, request_.site);
    if (site == kNone) return note(Reason::kUnknownSite), false;
    const std::uint32_t* first = variant_->by_site + variant_->site_begins[site];
    const std::uint32_t* last = variant_->by_site + variant_->site_begins[site + 1];
    const std::uint32_t* here = first_not_before(first, last, at_);
    const std::uint32_t* later = first_not_before(here, last, end_of_scope());
    if (search_ahead(first, here, later, expected, block)) return true;
    for (const std::uint32_t* at = here; at != first && here - at < tries_; --at) {
      if ((block = borrow(at[-1])) != nullptr) return true;
    }
    for (const std::uint32_t* at = later; at != last && at - later < tries_; ++at) {
      if ((block = borrow(*at)) != nullptr) return true;
    }
    if (!noted_ || why_ != Reason::kUnplanned) block = take_spare_cell(plan.cells);
    note(Reason::kUnexpected);
    return block != nullptr;
  }

  // Searches the scope as a circle where the pass is in a loop: the rest of the loop, then the loop from its
  // first slot on, then what follows the loop.
  bool search_ahead(const std::uint32_t* first, const std::uint32_t* here, const std::uint32_t* later,
                    bool expected, void*& block) {
    const PlanLoop* loop = loop_around_slot(*variant_, at_);
    if (loop == nullptr || end_of_scope() < loop->end_slot)
      return search_in_scope(here, later, expected, block);
    const std::uint32_t* end = first_not_before(here, later, loop->end_slot);
    const std::uint32_t* again = first_not_before(first, here, loop->first_slot);
    return search_in_scope(here, end, expected, block) || search_in_scope(again, here, expected, block) ||
           search_in_scope(end, later, expected, block);
  }

  // A slot that is left to the heap tells where the pass is as any other slot does.
  bool search_in_scope(const std::uint32_t* first, const std::uint32_t* last, bool expected, void*& block) {
    for (const std::uint32_t* at = first; at != last && at - first < tries_; ++at) {
      const bool left = !expected && is_left_to_heap(*at);
      if (left) leave_to_heap();
      if (!left && (block = take(*at)) == nullptr) continue;
      if (!expected) progress_.resume = *at + 1;
      return true;
    }
    return false;
  }

  // Takes a slot that is meant for another allocation of the site, but no large one of which more than half
  // would be wasted.
  void* borrow(std::uint32_t slot) {
    if (variant_->hot[slot].bytes == 0 &&
        request_.size < variant_->large[variant_->large_of[slot]].bytes / 2) {
      return nullptr;
    }
    return take(slot);
  }

  static const std::uint32_t* first_not_before(const std::uint32_t* first, const std::uint32_t* last,
                                               std::uint32_t slot) {
    while (first != last) {
      const std::uint32_t* middle = first + (last - first) / 2;
      if (*middle < slot) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }

  void* miss() {
    ++progress_.fallback[static_cast<int>(why_)];
    progress_.fallback_bytes += request_.size;
    if (self_.served != progress_.served_at_miss) progress_.misses_in_row = 0;
    progress_.served_at_miss = self_.served;
    ++progress_.misses_in_row;
    return nullptr;
  }

  ThreadState& self_;
  Lane& lane_;
  Progress& progress_;
  const Variant* variant_;
  const Request& request_;
  std::ptrdiff_t tries_;
  std::uint32_t at_;
  Reason why_ = Reason::kUnexpected;
  bool noted_ = false;
};

void* pass_on_to_heap(Progress& progress, Reason reason, std::size_t size) {
  ++progress.fallback[static_cast<int>(reason)];
  progress.fallback_bytes += size;
  return nullptr;
}

// Purges idle heap pages before this request makes jemalloc map new ones.
void make_room(const Lane& lane, std::size_t size) {
  heap_provides(size, lane.bytes);
}

// One in so many searches is timed and counted for all of them: reading the clock for each would cost too much.
constexpr std::uint64_t kTimedSearches = 8;

void* find_timed(Match& match, Progress& progress) {
  if (progress.searches++ % kTimedSearches != 0) return match.find();
  const std::uint64_t begin = ticks_now();
  void* block = match.find();
  progress.own_ticks += kTimedSearches * own_ticks_since(begin);
  return block;
}

}  // namespace

void* match(ThreadState& self, const Request& request) {
  const HotSlot* cursor = self.cursor;
  Progress& progress = self.lane->progress;
  if (cursor == &kReentered) return pass_on_to_heap(progress, Reason::kReentered, request.size);
  if (has_given_up(self)) {
    make_room(*self.lane, request.size);
    return pass_on_to_heap(progress, Reason::kGaveUp, request.size);
  }
  count_served(self);
  self.cursor = &kReentered;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Match match(self, cursor, request);
  void* block = find_timed(match, progress);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place_cursor(self, match.cursor());
  if (block == nullptr) make_room(*self.lane, request.size);
  return block;
}

void start_variant(ThreadState& self, const Variant& variant) {
  Lane& lane = *self.lane;
  lane.variant.store(&variant, std::memory_order_relaxed);
  for (std::uint32_t name = 0; name < variant.name_count; ++name)
    lane.next_of_name[name] = variant.names[name].first;
  Progress& progress = lane.progress;
  progress.growth = {};
  progress.outgrown = 0;
  progress.served_at_miss = 0;
  progress.misses_in_row = 0;
  progress.resume = kNone;
  progress.next_scope = 0;
  progress.open_scopes = 0;
  self.owners = g_region.owners + lane.first_granule;
  self.base = g_region.at(lane.first_granule);
  place_cursor(self, variant.hot);
}

}  // namespace memo::runtime
