#include "planner/plan/plan_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <system_error>

#include "planner/plan/plan_tables.h"
#include "planner/system/whole_file.h"
#include "runtime/formats/place_runs.h"

namespace memo::planner {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("cannot write the plan: " + why);
}

// ---- what a plan cannot hold ----

void require_build_id(const PlanModuleDescription& module) {
  const std::string& hex = module.build_id;
  if (hex.size() % 2 != 0 || hex.size() > 2 * sizeof(PlanModule::build_id) ||
      hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    refuse(fmt::format("\"{}\" is no build-id ({})", hex, module.path));
}

void require_cell(std::uint64_t bytes) {
  if (bytes == 0 || bytes % kGranule != 0 || bytes > kMaxCellBytes)
    refuse(fmt::format("a cell of {} bytes; cells are multiples of {} up to {}", bytes, kGranule,
                       kMaxCellBytes));
}

void require_in_cell(const PlanSlotDescription& slot, std::size_t index, const PlanDescription& plan) {
  if (slot.place >= plan.cells.size()) refuse(fmt::format("slot {} names cell {}", index, slot.place));
  if (slot.size > plan.cells[slot.place] || slot.alignment > kGranule)
    refuse(fmt::format("slot {} ({} bytes, alignment {}) does not fit its cell of {} bytes", index, slot.size,
                       slot.alignment, plan.cells[slot.place]));
}

void require_list(const PlanSlotDescription& slot, std::size_t index, const PlanDescription& plan) {
  const std::uint64_t known = plan.cells.size();
  if (slot.cells == 0 || slot.place >= known || slot.cells > known - slot.place)
    refuse(fmt::format("slot {} has a list of {} cells from cell {} on", index, slot.cells, slot.place));
  for (std::uint64_t cell = slot.place; cell < slot.place + slot.cells; ++cell)
    if (slot.size > plan.cells[cell] || slot.alignment > kGranule)
      refuse(fmt::format("slot {} ({} bytes, alignment {}) does not fit cell {} of its list", index,
                         slot.size, slot.alignment, cell));
}

void require_large(const PlanSlotDescription& slot, std::size_t index) {
  const std::uint64_t step = std::max<std::uint64_t>(slot.alignment, kGranule);
  if (slot.place % step != 0 || slot.size == 0)
    refuse(fmt::format("slot {} ({} bytes) at {} is not aligned to {}", index, slot.size, slot.place, step));
}

void require_slot(const PlanSlotDescription& slot, std::size_t index, const PlanDescription& plan) {
  if (!std::has_single_bit(slot.alignment) || slot.alignment > kMaxPlanAlignment)
    refuse(fmt::format("slot {} has alignment {}", index, slot.alignment));
  if (slot.zone == PlanZone::kCell) require_in_cell(slot, index, plan);
  if (slot.zone == PlanZone::kLarge) require_large(slot, index);
  if (has_list(slot.zone)) require_list(slot, index, plan);
}

void require_few(const PlanVariantDescription& variant) {
  const std::uint32_t places = count_places(variant.slots);
  const auto lists = std::ranges::count_if(variant.slots, has_list, &PlanSlotDescription::zone);
  if (lists > static_cast<std::ptrdiff_t>(kMaxLists))
    refuse(fmt::format("{} lists in one variant, at most {} are possible", lists, kMaxLists));
  if (places > kMaxLargePlaces)
    refuse(fmt::format("{} places for large blocks in one variant, at most {} are possible", places,
                       kMaxLargePlaces));
}

void require_few_varying(const ShapeRange& range) {
  if (range.varying.size() > kMaxVaryingSizes)
    refuse(
        fmt::format("{} sizes that vary, at most {} are possible", range.varying.size(), kMaxVaryingSizes));
}

bool is_possible(const SizeFormula& formula, std::uint64_t size) {
  if (formula.base > kMaxPlanHeight || formula.factor > kMaxPlanHeight) return false;
  if (formula.is_line()) return formula == line_from(size, formula.factor);
  const std::uint32_t power = std::max(formula.powers[0], formula.powers[1]);
  return power != 0 && power <= kMaxFormulaPower && formula.rounding <= kMaxFormulaRounding;
}

// A formula that is no line counts in the numbers of the variant's range, the smaller first.
void require_formula(const PlanSlotDescription& slot, std::size_t index, const ShapeRange& range) {
  if (!is_possible(slot.formula, slot.size))
    refuse(fmt::format("slot {} has a formula that is not possible", index));
  if (slot.formula.is_line()) return;
  if (range.varying.size() != kMaxVaryingSizes)
    refuse(fmt::format("slot {} has a formula in two numbers, and {} vary", index, range.varying.size()));
  for (std::size_t i = 0; i < kMaxVaryingSizes; ++i)
    if (range.varying[i].most == 0 || range.varying[i].most > kMaxFormulaNumbers[i])
      refuse(fmt::format("slot {} has a formula in numbers up to {}; at most {} is possible", index,
                         range.varying[i].most, kMaxFormulaNumbers[i]));
}

class Encoder {
 public:
  explicit Encoder(const PlanDescription& plan) : plan_(plan) { tables_.large_start = large_start(plan); }

  std::vector<unsigned char> encode() {
    tables_.strings.add("");
    for (const PlanModuleDescription& module : plan_.modules) add_module(module);
    for (const std::uint64_t bytes : plan_.cells) add_cell(bytes);
    for (const PlanVariantDescription& variant : plan_.variants) add_variant(variant);
    for (const PlanAnchorDescription& anchor : plan_.anchors) add_anchor(anchor);
    return file_of(tables_);
  }

 private:
  void add_module(const PlanModuleDescription& module) {
    require_build_id(module);
    const std::string& hex = module.build_id;
    PlanModule out{};
    out.build_id_bytes = static_cast<std::uint32_t>(hex.size() / 2);
    for (std::uint32_t byte = 0; byte < out.build_id_bytes; ++byte) {
      out.build_id[byte] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * byte, 2), nullptr, 16));
    }
    out.path = tables_.strings.add(module.path);
    tables_.modules.push_back(out);
  }

  void add_cell(std::uint64_t bytes) {
    require_cell(bytes);
    tables_.cells.push_back({.bytes = static_cast<std::uint32_t>(bytes)});
  }

  void add_variant(const PlanVariantDescription& variant) {
    PlanVariant out{};
    out.fingerprint = variant.fingerprint;
    out.pass_key = variant.pass_key;
    out.height = height(plan_, variant);
    out.lower_bound = variant.lower_bound;
    out.first_scope = static_cast<std::uint32_t>(tables_.scopes.size());
    out.scope_count = static_cast<std::uint32_t>(variant.scopes.size());
    out.first_slot = static_cast<std::uint32_t>(tables_.slots.size());
    out.slot_count = static_cast<std::uint32_t>(variant.slots.size());
    out.strategy = tables_.strings.add(variant.strategy);
    out.unplanned = variant.unplanned;
    out.shapes = variant.shapes;
    out.warm_up = variant.warm_up;
    for (const PlanScopeDescription& scope : variant.scopes) add_scope(scope);
    add_slots(variant);
    for (const PlanLoopDescription& loop : variant.loops) add_loop(loop);
    if (variant.range != ShapeRange{}) add_shapes(variant.range);
    if (out.height > kMaxPlanHeight) refuse(fmt::format("a height of {} bytes", out.height));
    tables_.variants.push_back(out);
  }

  // Adds a loop of the variant that add_variant() is adding.
  void add_loop(const PlanLoopDescription& loop) {
    tables_.loops.push_back({.variant = static_cast<std::uint32_t>(tables_.variants.size()),
                             .first_slot = loop.first_slot,
                             .end_slot = loop.end_slot,
                             .slots = loop.slots,
                             .first_scope = loop.first_scope,
                             .end_scope = loop.end_scope,
                             .scopes = loop.scopes,
                             .reserved = 0});
  }

  // Adds what the shapes asked for of the variant that add_variant() is adding.
  void add_shapes(const ShapeRange& range) {
    PlanShapes shapes{.variant = static_cast<std::uint32_t>(tables_.variants.size()),
                      .varying = static_cast<std::uint32_t>(range.varying.size()),
                      .least_bytes = static_cast<std::uint64_t>(range.least),
                      .most_bytes = static_cast<std::uint64_t>(range.most),
                      .alone_bytes = static_cast<std::uint64_t>(range.alone),
                      .least = {},
                      .most = {}};
    require_few_varying(range);
    for (std::size_t i = 0; i < range.varying.size(); ++i) {
      shapes.least[i] = range.varying[i].least;
      shapes.most[i] = range.varying[i].most;
    }
    tables_.shapes.push_back(shapes);
  }

  void add_scope(const PlanScopeDescription& scope) {
    tables_.scopes.push_back({.name_hash = scope_name_hash(scope.name.c_str()),
                              .name = tables_.strings.add(scope.name),
                              .first_slot = scope.first_slot,
                              .end_slot = scope.end_slot,
                              .parent = scope.parent});
  }

  void add_slots(const PlanVariantDescription& variant) {
    for (std::size_t index = 0; index < variant.slots.size(); ++index) {
      const PlanSlotDescription& slot = variant.slots[index];
      require_slot(slot, index, plan_);
      const std::uint32_t site = number(slot.site);
      tables_.slots.push_back({.size = slot.size,
                               .place = place_in_file(slot),
                               .site = site,
                               .scope = slot.scope,
                               .spread = slot.spread,
                               .alignment = slot.alignment,
                               .freed_at = slot.freed_at,
                               .zone = slot.zone});
      if (!slot.formula.exists()) continue;
      require_formula(slot, index, variant.range);
      add_formula(slot.formula, index);
    }
    require_few(variant);
  }

  // Adds the formula of a slot of the variant that add_variant() is adding.
  void add_formula(const SizeFormula& formula, std::size_t slot) {
    tables_.formulas.push_back({.variant = static_cast<std::uint32_t>(tables_.variants.size()),
                                .slot = static_cast<std::uint32_t>(slot),
                                .base = formula.base,
                                .factor = formula.factor,
                                .rounding = formula.rounding,
                                .powers = {static_cast<std::uint8_t>(formula.powers[0]),
                                           static_cast<std::uint8_t>(formula.powers[1]),
                                           static_cast<std::uint8_t>(formula.powers[2])},
                                .reserved = 0});
  }

  [[nodiscard]] std::uint64_t place_in_file(const PlanSlotDescription& slot) const {
    if (slot.zone == PlanZone::kLarge) return tables_.large_start + slot.place;
    if (has_list(slot.zone))
      return place_of(PlanList{.first = static_cast<std::uint32_t>(slot.place), .cells = slot.cells});
    return slot.place;
  }

  void add_anchor(const PlanAnchorDescription& anchor) {
    const std::size_t index = tables_.anchors.size();
    if (index == kMaxAnchors) refuse(fmt::format("a plan has at most {} anchors", kMaxAnchors));
    if (anchor.least > anchor.most)
      refuse(fmt::format("anchor {} is for {} to {} bytes, which no allocation has", index, anchor.least,
                         anchor.most));
    tables_.anchors.push_back({.least = anchor.least,
                               .most = anchor.most,
                               .pass_key = anchor.pass_key,
                               .site = number(anchor.site),
                               .reserved = 0});
  }

  std::uint32_t number(const PlanSiteDescription& site) {
    const auto [known, fresh] = numbers_.try_emplace(site, static_cast<std::uint32_t>(tables_.sites.size()));
    if (fresh) tables_.sites.push_back({.module = site.module, .reserved = 0, .offset = site.offset});
    return known->second;
  }

  const PlanDescription& plan_;
  FileTables tables_;
  std::map<PlanSiteDescription, std::uint32_t> numbers_;
};

}  // namespace

std::vector<unsigned char> encode_plan(const PlanDescription& plan) {
  return Encoder(plan).encode();
}

void write_plan(const PlanDescription& plan, const std::filesystem::path& path) {
  const std::vector<unsigned char> bytes = encode_plan(plan);
  try {
    process::write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const std::system_error& error) {
    throw std::runtime_error(
        fmt::format("cannot write the plan to {}: {}", path.string(), error.code().message()));
  }
}

}  // namespace memo::planner
