#include "runtime/loaded_plan.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

#include "runtime/checker.h"
#include "runtime/modules.h"

namespace memo::runtime {
namespace {

// Hands out pieces of one mapping; asked twice, first without memory, to learn how much it takes.
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

// The writable arrays of a variant while it is filled in.
struct Builder {
  const PlanFile& file;
  const PlanVariant& plan;
  Variant& variant;
  std::uint64_t* bytes_before;
  LargeSlot* large;
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

Builder lay_out(Pieces& pieces, const PlanFile& file, const PlanVariant& plan, Variant& variant) {
  const std::uint32_t large = count_large(file, plan);
  variant.pass_key = plan.pass_key;
  variant.height = plan.height;
  variant.slot_count = plan.slot_count;
  variant.scope_count = plan.scope_count;
  variant.large_count = large;
  variant.slots = file.slots().data() + plan.first_slot;
  variant.scopes = file.scopes().data() + plan.first_scope;
  variant.hot = pieces.take<HotSlot>(plan.slot_count + std::uint64_t{1});
  Builder builder{.file = file,
                  .plan = plan,
                  .variant = variant,
                  .bytes_before = pieces.take<std::uint64_t>(plan.slot_count + std::uint64_t{1}),
                  .large = pieces.take<LargeSlot>(large),
                  .masks = pieces.take<std::uint64_t>(std::uint64_t{large} * mask_words(large)),
                  .large_of = pieces.take<std::uint16_t>(plan.slot_count),
                  .by_site = pieces.take<std::uint32_t>(plan.slot_count),
                  .site_begins = pieces.take<std::uint32_t>(file.sites().size() + 1),
                  .links = pieces.take<ScopeLinks>(plan.scope_count),
                  .names = pieces.take<ScopeName>(plan.scope_count)};
  variant.bytes_before = builder.bytes_before;
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

// Every pair is compared: what may be live together is decided by the offsets themselves. A slot conflicts with
// itself, too.
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

void fill_slots(Builder& to, std::span<const CellPlace> cells) {
  for (std::uint32_t index = 0; index < to.plan.slot_count; ++index) {
    const PlanSlot& slot = to.variant.slots[index];
    HotSlot* hot = new (&to.variant.hot[index]) HotSlot{};
    hot->site.store(kNoSite, std::memory_order_relaxed);
    to.bytes_before[index + 1] = to.bytes_before[index] + slot.size;
    if (slot.zone == PlanZone::kCell) {
      hot->granule = cells[slot.place].granule;
      hot->bytes = cells[slot.place].bytes;
    } else {
      hot->granule = static_cast<std::uint32_t>(slot.place / kGranule);
    }
  }
  HotSlot* end = new (&to.variant.hot[to.plan.slot_count]) HotSlot{};
  end->site.store(kNoSite, std::memory_order_relaxed);
}

// Large slots are numbered by place: those that share bytes have numbers close to each other, and masks are short.
void number_large(Builder& to) {
  std::uint32_t* slots = to.by_site;  // not in use yet
  std::uint32_t count = 0;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot) {
    if (to.variant.slots[slot].zone == PlanZone::kLarge) slots[count++] = slot;
  }
  const HotSlot* hot = to.variant.hot;
  std::sort(slots, slots + count, [hot](std::uint32_t a, std::uint32_t b) {
    return hot[a].granule != hot[b].granule ? hot[a].granule < hot[b].granule : a < b;
  });
  for (std::uint32_t number = 0; number < count; ++number) {
    const std::uint32_t slot = slots[number];
    const std::uint64_t bytes = (to.variant.slots[slot].size + kGranule - 1) / kGranule * kGranule;
    to.large_of[slot] = static_cast<std::uint16_t>(number);
    to.large[number] = {
        .bytes = bytes, .granule = hot[slot].granule, .first_word = 0, .words = 0, .mask = nullptr};
  }
}

// Each name once, sorted. A file may have a million of them: nothing here may take the square of that.
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

// From the last scope to the first, so that each finds the next of its name at the head of the chain.
void link_names(Builder& to) {
  Variant& variant = to.variant;
  variant.name_count = collect_names(to);
  for (std::uint32_t scope = variant.scope_count; scope-- > 0;) {
    const std::uint32_t name = find_name(variant, variant.scopes[scope].name_hash);
    to.links[scope] = {.name = name, .next_same_name = to.names[name].first};
    to.names[name].first = scope;
  }
}

void place_cells(const PlanFile& file, CellPlace* cells) {
  std::uint32_t granule = 0;
  for (std::size_t cell = 0; cell < file.cells().size(); ++cell) {
    cells[cell] = {.granule = granule, .bytes = file.cells()[cell].bytes};
    granule += cells[cell].bytes / kGranule;
  }
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

void build_variant(Pieces& pieces, LoadedPlan& loaded, std::size_t index) {
  Variant& variant = *new (&loaded.variants[index]) Variant{};
  Builder builder = lay_out(pieces, loaded.file, loaded.file.variants()[index], variant);
  fill_slots(builder, loaded.cells);
  number_large(builder);
  find_conflicts(builder);
  index_by_site(builder);
  link_names(builder);
  loaded.lane_bytes = std::max(loaded.lane_bytes, variant.height);
  if (is_for_workers(variant)) loaded.worker_bytes = std::max(loaded.worker_bytes, variant.height);
}

void insert(const SiteIndex& sites, std::uint32_t site, std::uint64_t address) {
  std::uint32_t at = static_cast<std::uint32_t>(address * 0x9e3779b97f4a7c15 >> 32) & sites.mask;
  while (sites.buckets[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & sites.mask;
  sites.buckets[at].store(site + 1, std::memory_order_relaxed);
}

}  // namespace

LoadedPlan* make_ready(const PlanFile& file, std::uint32_t lanes) {
  const std::uint64_t bytes = memory_for(file, lanes);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
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
                                   .next_of_name = layout.next_of_name,
                                   .names_per_lane = most_scopes(file),
                                   .missing_modules = 0,
                                   .said_stale = false,
                                   .lanes = 0,
                                   .worker_lanes = 0,
                                   .most_lanes = lanes,
                                   .cells = {layout.cells, file.cells().size()},
                                   .variants = {layout.variants, file.variants().size()},
                                   .sites = {.addresses = layout.addresses,
                                             .buckets = layout.buckets,
                                             .site_count = static_cast<std::uint32_t>(file.sites().size()),
                                             .mask = bucket_count(file) - 1}};
  place_cells(file, layout.cells);
  for (std::size_t index = 0; index < plan->variants.size(); ++index) build_variant(pieces, *plan, index);
  return plan;
}

void discard(LoadedPlan* plan) {
  close_plan(plan->file);
  checker::allow(plan->memory, plan->memory_bytes);
  munmap(plan->memory, plan->memory_bytes);
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

std::uint32_t find_name(const Variant& variant, std::uint64_t hash) {
  std::uint32_t first = 0;
  std::uint32_t count = variant.name_count;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (variant.names[first + half].hash < hash) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first < variant.name_count && variant.names[first].hash == hash ? first : kNone;
}

}  // namespace memo::runtime
