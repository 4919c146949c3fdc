#include "runtime/plan/loaded_plan.h"

#include <algorithm>
#include <bit>
#include <new>

#include "runtime/formats/rounding.h"
#include "runtime/plan/call_sites.h"
#include "runtime/plan/growth.h"
#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/own_memory.h"

namespace memo::runtime {
namespace {

// Hands out pieces of one mapping. Every layout runs twice: first without memory, to learn how much it takes.
class Pieces {
 public:
  explicit Pieces(char* memory) : memory_(memory) {}

  template <typename T>
  T* take(std::uint64_t count) {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    T* piece = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + used_);
    used_ += count * sizeof(T);
    if (memory_ != nullptr) checker::forbid(memory_ + used_, checker::kGap);
    used_ += checker::kGap;
    return piece;
  }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  char* memory_;
  std::uint64_t used_ = 0;
};

// The life of a block: from the allocation of slot `begin` to that of slot `end`. A block that its pass hands
// on beyond the last planned iteration of its loop, to the first one or to what follows the loop, lives at
// least as long as the loop.
struct SlotLife {
  std::uint32_t begin;
  std::uint32_t end;
};

// The writable arrays of a variant while it is filled in.
struct Builder {
  const PlanFile& file;
  const PlanVariant& plan;
  Variant& variant;
  LargeSlot* large;
  SlotLife* lives;  // lives of the large slots, in the order of their places
  std::uint64_t* masks;
  std::uint16_t* large_of;
  std::uint32_t* by_site;
  std::uint32_t* site_begins;
  ScopeLinks* links;
  ScopeName* names;
};

std::uint32_t count_large(const PlanFile& file, const PlanVariant& plan) {
  std::uint32_t count = 0;
  for (const PlanSlot& slot : file.slots().subspan(plan.first_slot, plan.slot_count)) {
    count += slot.zone == PlanZone::kLarge ? 1 : 0;
  }
  return count;
}

std::uint32_t mask_words(std::uint32_t large_count) {
  return (large_count + 63) / 64;
}

std::span<const PlanLoop> loops_of(const PlanFile& file, const PlanVariant& plan) {
  const auto number = static_cast<std::uint32_t>(&plan - file.variants().data());
  const PlanLoop* first = file.loops().data();
  const PlanLoop* end = first + file.loops().size();
  while (first != end && first->variant != number) ++first;
  const PlanLoop* last = first;
  while (last != end && last->variant == number) ++last;
  return {first, last};
}

Builder lay_out(Pieces& pieces, const PlanFile& file, const PlanVariant& plan, Variant& variant) {
  const std::uint32_t large = count_large(file, plan);
  variant.pass_key = plan.pass_key;
  variant.slot_count = plan.slot_count;
  variant.scope_count = plan.scope_count;
  variant.large_count = large;
  variant.slots = file.slots().data() + plan.first_slot;
  variant.scopes = file.scopes().data() + plan.first_scope;
  variant.loops = loops_of(file, plan);
  variant.hot = pieces.take<HotSlot>(plan.slot_count + std::uint64_t{1});
  variant.seen = pieces.take<Seen>(plan.slot_count);
  Builder builder{.file = file,
                  .plan = plan,
                  .variant = variant,
                  .large = pieces.take<LargeSlot>(large + std::uint64_t{1}),
                  .lives = pieces.take<SlotLife>(large),
                  .masks = pieces.take<std::uint64_t>(std::uint64_t{large} * mask_words(large)),
                  .large_of = pieces.take<std::uint16_t>(plan.slot_count),
                  .by_site = pieces.take<std::uint32_t>(plan.slot_count),
                  .site_begins = pieces.take<std::uint32_t>(file.sites().size() + 1),
                  .links = pieces.take<ScopeLinks>(plan.scope_count),
                  .names = pieces.take<ScopeName>(plan.scope_count)};
  variant.large = builder.large;
  variant.large_of = builder.large_of;
  variant.by_site = builder.by_site;
  variant.site_begins = builder.site_begins;
  variant.links = builder.links;
  variant.names = builder.names;
  return builder;
}

// Counting sort: linear, and stable, so that the slots of a site stay in order.
void index_by_site(Builder& to) {
  const std::size_t sites = to.file.sites().size();
  for (std::size_t site = 0; site <= sites; ++site) to.site_begins[site] = 0;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot)
    ++to.site_begins[to.variant.slots[slot].site];
  std::uint32_t end = 0;
  for (std::size_t site = 0; site <= sites; ++site) to.site_begins[site] = end += to.site_begins[site];
  for (std::uint32_t slot = to.plan.slot_count; slot-- > 0;) {
    to.by_site[--to.site_begins[to.variant.slots[slot].site]] = slot;
  }
}

bool share_bytes(const LargeSlot& a, const LargeSlot& b) {
  return a.granule < b.granule + b.bytes / kGranule && b.granule < a.granule + a.bytes / kGranule;
}

// Compares every pair of large slots: the places themselves decide which may be live together. A slot conflicts
// with itself, too.
void find_conflicts(Builder& to) {
  const std::uint32_t words = mask_words(to.variant.large_count);
  for (std::uint32_t a = 0; a < to.variant.large_count; ++a) {
    std::uint64_t* mask = to.masks + std::uint64_t{a} * words;
    for (std::uint32_t b = 0; b < to.variant.large_count; ++b) {
      if (share_bytes(to.large[a], to.large[b])) mask[b / 64] |= std::uint64_t{1} << b % 64;
    }
    std::uint32_t first = 0;
    std::uint32_t end = words;
    while (mask[first] == 0) ++first;
    while (mask[end - 1] == 0) --end;
    to.large[a].mask = mask + first;
    to.large[a].first_word = static_cast<std::uint16_t>(first);
    to.large[a].words = static_cast<std::uint16_t>(end - first);
  }
}

// Fills in the slots, but for the places of large slots, which come later.
void fill_slots(Builder& to, std::span<const CellPlace> cells) {
  for (std::uint32_t index = 0; index < to.plan.slot_count; ++index) {
    const PlanSlot& slot = to.variant.slots[index];
    HotSlot* hot = new (&to.variant.hot[index]) HotSlot{};
    hot->site.store(kNoSite, std::memory_order_relaxed);
    to.variant.growing_count += slot.growth != 0 && slot.zone != PlanZone::kHeap ? 1 : 0;
    if (slot.zone != PlanZone::kCell) continue;
    hot->granule = cells[slot.place].granule;
    hot->bytes = cells[slot.place].bytes;
  }
  HotSlot* end = new (&to.variant.hot[to.plan.slot_count]) HotSlot{};
  end->site.store(kNoSite, std::memory_order_relaxed);
}

// Returns the numbers of the large slots. They lie in by_site, which is not in use yet: index_by_site() fills
// it later.
std::span<std::uint32_t> large_slots(Builder& to) {
  std::uint32_t count = 0;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot) {
    if (to.variant.slots[slot].zone == PlanZone::kLarge) to.by_site[count++] = slot;
  }
  return {to.by_site, count};
}

// Places the large slots as planned, at t = 0, above cells that may have grown. Returns false if the variant is
// higher than a plan can be.
bool put_as_planned(Builder& to, std::uint64_t large_start) {
  const std::uint64_t moved = large_start - to.file.header().large_start;
  if (to.plan.height + moved > kMaxPlanHeight) return false;
  for (const std::uint32_t slot : large_slots(to))
    to.variant.hot[slot].granule =
        static_cast<std::uint32_t>((to.variant.slots[slot].place + moved) / kGranule);
  return true;
}

SlotLife life_of(const Variant& variant, std::uint32_t slot) {
  const std::uint32_t end = variant.slots[slot].freed_at;
  for (const PlanLoop& loop : variant.loops) {
    if (slot < loop.first_slot || slot >= loop.end_slot) continue;
    if (end > loop.end_slot) return {loop.first_slot, end};
    if (end <= slot) return {loop.first_slot, loop.end_slot};
  }
  return {slot, end};
}

bool live_together(const SlotLife& a, const SlotLife& b) {
  return a.begin < b.end && b.begin < a.end;
}

// Places each large slot on top of those that were planned below it and live at the same time. Returns false if
// the variant is higher than a plan can be.
bool drop_in_planned_order(Builder& to, std::uint64_t large_start) {
  const PlanSlot* slots = to.variant.slots;
  const std::span<std::uint32_t> order = large_slots(to);
  std::sort(order.begin(), order.end(), [slots](std::uint32_t a, std::uint32_t b) {
    return slots[a].place != slots[b].place ? slots[a].place < slots[b].place : a < b;
  });
  HotSlot* hot = to.variant.hot;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t slot = order[at];
    to.lives[at] = life_of(to.variant, slot);
    std::uint64_t place = large_start;
    for (std::size_t under = 0; under < at; ++under) {
      if (!live_together(to.lives[under], to.lives[at])) continue;
      const std::uint32_t below = order[under];
      place = std::max(place, std::uint64_t{hot[below].granule} * kGranule +
                                  whole_granules(size_at(slots[below], to.variant.t)));
    }
    const std::uint64_t step = std::max(slots[slot].alignment, kGranule);
    place = round_up(place, step);
    if (place + size_at(slots[slot], to.variant.t) > kMaxPlanHeight) return false;
    hot[slot].granule = static_cast<std::uint32_t>(place / kGranule);
  }
  return true;
}

// Numbers the large slots by place: slots that share bytes get numbers close to each other, which keeps masks
// short.
void number_large(Builder& to) {
  const std::span<std::uint32_t> slots = large_slots(to);
  const HotSlot* hot = to.variant.hot;
  std::sort(slots.begin(), slots.end(), [hot](std::uint32_t a, std::uint32_t b) {
    return hot[a].granule != hot[b].granule ? hot[a].granule < hot[b].granule : a < b;
  });
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot)
    to.large_of[slot] =
        static_cast<std::uint16_t>(slots.size());  // the entry of no bytes, for cells and slots on the heap
  for (std::uint32_t number = 0; number < slots.size(); ++number) {
    const std::uint32_t slot = slots[number];
    const std::uint64_t bytes = whole_granules(size_at(to.variant.slots[slot], to.variant.t));
    to.large_of[slot] = static_cast<std::uint16_t>(number);
    to.large[number] = {
        .bytes = bytes, .granule = hot[slot].granule, .first_word = 0, .words = 0, .mask = nullptr};
    to.variant.height = std::max(to.variant.height, hot[slot].granule * std::uint64_t{kGranule} + bytes);
  }
}

// Collects each name once, sorted by hash. A file may have a million names: nothing here may take quadratic
// time.
std::uint32_t collect_names(const Builder& to) {
  const std::uint32_t scopes = to.variant.scope_count;
  for (std::uint32_t scope = 0; scope < scopes; ++scope) {
    to.names[scope] = {.hash = to.variant.scopes[scope].name_hash, .first = kNone};
  }
  std::sort(to.names, to.names + scopes,
            [](const ScopeName& a, const ScopeName& b) { return a.hash < b.hash; });
  const ScopeName* end = std::unique(to.names, to.names + scopes,
                                     [](const ScopeName& a, const ScopeName& b) { return a.hash == b.hash; });
  return static_cast<std::uint32_t>(end - to.names);
}

// Links the scopes of each name, from the last scope to the first, so that each finds the next of its name at
// the head of the chain.
void link_names(Builder& to) {
  Variant& variant = to.variant;
  variant.name_count = collect_names(to);
  for (std::uint32_t scope = variant.scope_count; scope-- > 0;) {
    const std::uint32_t name = find_name(variant, variant.scopes[scope].name_hash);
    to.links[scope] = {.name = name, .next_same_name = to.names[name].first, .is_behind_loop = 0};
    to.names[name].first = scope;
  }
  for (const PlanLoop& loop : variant.loops)
    if (loop.end_scope < variant.scope_count) to.links[loop.end_scope].is_behind_loop = 1;
}

bool has_larger_slots(const PlanFile& file, const PlanFile& before, const PlanVariant& plan) {
  const auto slots = file.slots().subspan(plan.first_slot, plan.slot_count);
  const auto smaller = before.slots().subspan(plan.first_slot, plan.slot_count);
  return !std::equal(slots.begin(), slots.end(), smaller.begin(),
                     [](const PlanSlot& a, const PlanSlot& b) { return a.size == b.size; });
}

// Sets t of each variant. Reads `wanted` only once, since passes go on raising it meanwhile.
void set_parameters(LoadedPlan& loaded, const LoadedPlan* before) {
  for (std::size_t index = 0; index < loaded.variants.size(); ++index) {
    Variant& variant = *new (&loaded.variants[index]) Variant{};
    variant.t = before == nullptr ? 0 : before->variants[index].wanted.load(std::memory_order_relaxed);
    variant.wanted.store(variant.t, std::memory_order_relaxed);
    variant.denied.store(~std::uint64_t{0}, std::memory_order_relaxed);
    if (before == nullptr) continue;
    const Variant& smaller = before->variants[index];
    variant.enlarged =
        smaller.enlarged || has_larger_slots(loaded.file, before->file, loaded.file.variants()[index]);
  }
}

// Makes each cell as large as the largest of its slots, but no larger than a cell can be: larger blocks go to
// the heap.
void grow_cells(const PlanFile& file, const PlanVariant& plan, std::uint64_t t, std::span<CellPlace> cells) {
  for (const PlanSlot& slot : file.slots().subspan(plan.first_slot, plan.slot_count)) {
    if (slot.zone != PlanZone::kCell) continue;
    const std::uint64_t bytes = std::min(whole_granules(size_at(slot, t)), kMaxCellBytes);
    CellPlace& cell = cells[slot.place];
    cell.bytes = std::max(cell.bytes, static_cast<std::uint32_t>(bytes));
  }
}

// Places the cells one after the other. Returns where they end.
std::uint64_t place_cells(std::span<CellPlace> cells) {
  std::uint64_t end = 0;
  for (CellPlace& cell : cells) {
    cell.granule = static_cast<std::uint32_t>(end / kGranule);
    end += cell.bytes;
  }
  return end;
}

std::uint64_t strictest_alignment(const PlanFile& file) {
  std::uint64_t alignment = kGranule;
  for (const PlanSlot& slot : file.slots())
    if (slot.zone == PlanZone::kLarge) alignment = std::max<std::uint64_t>(alignment, slot.alignment);
  return alignment;
}

// Makes the cells of all variants. Returns false if they leave no room for large slots.
bool build_cells(LoadedPlan& loaded, std::span<CellPlace> cells) {
  const PlanFile& file = loaded.file;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) cells[cell].bytes = file.cells()[cell].bytes;
  for (std::size_t index = 0; index < loaded.variants.size(); ++index)
    grow_cells(file, file.variants()[index], loaded.variants[index].t, cells);
  const std::uint64_t end = place_cells(cells);
  const std::uint64_t step = strictest_alignment(file);
  loaded.large_start = end <= file.header().large_start ? file.header().large_start : round_up(end, step);
  return loaded.large_start <= kMaxPlanHeight;
}

struct Layout {
  LoadedPlan* plan;
  Variant* variants;
  CellPlace* cells;
  std::atomic<std::uint64_t>* addresses;
  std::atomic<std::uint32_t>* buckets;
  std::uint32_t* next_of_name;
};

std::uint32_t most_scopes(const PlanFile& file) {
  std::uint32_t most = 0;
  for (const PlanVariant& plan : file.variants()) most = plan.scope_count > most ? plan.scope_count : most;
  return most;
}

std::uint32_t bucket_count(const PlanFile& file) {
  return static_cast<std::uint32_t>(std::bit_ceil(2 * file.sites().size() + 2));
}

Layout lay_out(Pieces& pieces, const PlanFile& file, std::uint32_t lanes) {
  return {.plan = pieces.take<LoadedPlan>(1),
          .variants = pieces.take<Variant>(file.variants().size()),
          .cells = pieces.take<CellPlace>(file.cells().size()),
          .addresses = pieces.take<std::atomic<std::uint64_t>>(file.sites().size()),
          .buckets = pieces.take<std::atomic<std::uint32_t>>(bucket_count(file)),
          .next_of_name = pieces.take<std::uint32_t>(std::uint64_t{lanes} * most_scopes(file))};
}

std::uint64_t memory_for(const PlanFile& file, std::uint32_t lanes) {
  Pieces pieces(nullptr);
  lay_out(pieces, file, lanes);
  for (const PlanVariant& plan : file.variants()) {
    Variant scratch{};
    lay_out(pieces, file, plan, scratch);
  }
  return pieces.used();
}

// A text of twice the length needs four times the room at most. What asks for more is hardly the program that was
// profiled.
constexpr std::uint64_t kMostTimesAsHigh = 4;

// Fills in a variant. Returns false if it would be higher than a plan can be, or than sizes seen may make it.
bool build_variant(Pieces& pieces, LoadedPlan& loaded, std::size_t index) {
  Variant& variant = loaded.variants[index];
  variant.height = loaded.large_start;
  Builder builder = lay_out(pieces, loaded.file, loaded.file.variants()[index], variant);
  fill_slots(builder, loaded.cells);
  const bool as_planned = variant.t == 0 && !variant.enlarged;
  if (!(as_planned ? put_as_planned : drop_in_planned_order)(builder, loaded.large_start)) return false;
  number_large(builder);
  if (variant.enlarged && variant.height > kMostTimesAsHigh * builder.plan.height) return false;
  find_conflicts(builder);
  index_by_site(builder);
  link_names(builder);
  loaded.lane_bytes = std::max(loaded.lane_bytes, variant.height);
  if (is_for_workers(variant)) loaded.worker_bytes = std::max(loaded.worker_bytes, variant.height);
  return true;
}

bool build(Pieces& pieces, LoadedPlan& loaded, CellPlace* cells, const LoadedPlan* before) {
  set_parameters(loaded, before);
  if (!build_cells(loaded, {cells, loaded.cells.size()})) return false;
  for (std::size_t index = 0; index < loaded.variants.size(); ++index) {
    if (!build_variant(pieces, loaded, index)) return false;
  }
  return true;
}

void insert(const SiteIndex& sites, std::uint32_t site, std::uint64_t address) {
  std::uint32_t at = static_cast<std::uint32_t>(address * 0x9e3779b97f4a7c15 >> 32) & sites.mask;
  while (sites.buckets[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & sites.mask;
  sites.buckets[at].store(site + 1, std::memory_order_relaxed);
}

}  // namespace

LoadedPlan* make_ready(const PlanFile& file, std::uint32_t lanes, const LoadedPlan* before) {
  const std::uint64_t bytes = memory_for(file, lanes);
  void* memory = map_own(Own::kPlans, bytes);
  if (memory == nullptr) {
    close_plan(file);
    return nullptr;
  }
  Pieces pieces(static_cast<char*>(memory));
  const Layout layout = lay_out(pieces, file, lanes);
  auto* plan =
      new (layout.plan) LoadedPlan{.file = file,
                                   .memory = memory,
                                   .memory_bytes = bytes,
                                   .lane_bytes = 0,
                                   .worker_bytes = 0,
                                   .large_start = 0,
                                   .next_of_name = layout.next_of_name,
                                   .names_per_lane = most_scopes(file),
                                   .missing_modules = 0,
                                   .said_stale = false,
                                   .lanes = 0,
                                   .worker_lanes = 0,
                                   .most_lanes = lanes,
                                   .has_grown = false,
                                   .number = 0,
                                   .holders = 0,
                                   .sites_looked_up = false,
                                   .look_up_again = false,
                                   .cells = {layout.cells, file.cells().size()},
                                   .variants = {layout.variants, file.variants().size()},
                                   .sites = {.addresses = layout.addresses,
                                             .buckets = layout.buckets,
                                             .site_count = static_cast<std::uint32_t>(file.sites().size()),
                                             .mask = bucket_count(file) - 1}};
  if (build(pieces, *plan, layout.cells, before)) return plan;
  discard(plan);
  return nullptr;
}

namespace {

// Shapes that are drawn at random come a little larger again and again. An eighth more than was seen saves most of
// the growths, and with them the pages that each touches anew.
constexpr std::uint64_t kRoomBeyondSeen = 8;

// Cuts what no plan holds to a size that is refused: the sum of a place and the largest sizes would wrap around.
std::uint64_t seen_at(const Variant& variant, std::uint32_t slot) {
  return std::min(variant.seen[slot].load(std::memory_order_relaxed), kNoPlanHoldsIt);
}

}  // namespace

void enlarge_slots(LoadedPlan& plan, const PlanFile& copy) {
  for (std::size_t index = 0; index < plan.variants.size(); ++index) {
    Variant& variant = plan.variants[index];
    if (!variant.outgrown.exchange(false, std::memory_order_relaxed)) continue;
    variant.confined.store(true, std::memory_order_relaxed);
    const std::uint32_t first = copy.variants()[index].first_slot;
    auto* slots = const_cast<PlanSlot*>(copy.slots().data()) + first;
    ConfirmedFactor factor;
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
      if (const std::uint64_t seen = seen_at(variant, slot); seen > slots[slot].size)
        factor.add(slots[slot].size, seen);
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
      const std::uint64_t seen = seen_at(variant, slot);
      slots[slot].size = std::max(slots[slot].size,
                                  std::min(seen + seen / kRoomBeyondSeen, slots[slot].size * factor.most()));
    }
  }
}

void discard(LoadedPlan* plan) {
  close_plan(plan->file);
  checker::allow(plan->memory, plan->memory_bytes);
  unmap_own(Own::kPlans, plan->memory, plan->memory_bytes);
}

void resolve_sites(LoadedPlan& plan) {
  const SiteIndex& sites = plan.sites;
  plan.missing_modules.store(locate_modules(plan.file, sites.addresses), std::memory_order_relaxed);
  for (std::uint32_t at = 0; at <= sites.mask; ++at) sites.buckets[at].store(0, std::memory_order_relaxed);
  for (std::uint32_t site = 0; site < sites.site_count; ++site) {
    const std::uint64_t address = sites.addresses[site].load(std::memory_order_relaxed);
    if (address != kNoSite) insert(sites, site, address);
  }
  for (const Variant& variant : plan.variants) {
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
      const std::uint64_t address = sites.addresses[variant.slots[slot].site].load(std::memory_order_relaxed);
      variant.hot[slot].site.store(address, std::memory_order_relaxed);
    }
  }
}

std::uint32_t find_site(const SiteIndex& sites, std::uint64_t address) {
  std::uint32_t at = static_cast<std::uint32_t>(address * 0x9e3779b97f4a7c15 >> 32) & sites.mask;
  for (std::uint32_t tries = 0; tries <= sites.mask; ++tries, at = (at + 1) & sites.mask) {
    const std::uint32_t entry = sites.buckets[at].load(std::memory_order_relaxed);
    if (entry == 0) return kNone;
    if (sites.addresses[entry - 1].load(std::memory_order_relaxed) == address) return entry - 1;
  }
  return kNone;
}

}  // namespace memo::runtime
