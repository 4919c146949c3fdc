#include "planner/plan/plan_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "planner/system/regular_file.h"

namespace memo::planner {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error(why);
}

// The tables of a file whose header is right.
class PlanFileTables {
 public:
  explicit PlanFileTables(std::span<const unsigned char> file) : file_(file) {
    check_header();
    if (first_table_outside(header_, file_.size()) != PlanTables::kTables)
      refuse("a table lies outside of it");
  }

  [[nodiscard]] const PlanHeader& header() const { return header_; }

  template <typename Element>
  [[nodiscard]] std::vector<Element> table() const {
    const PlanTable& where = header_.table<Element>();
    std::vector<Element> elements(where.count);
    if (where.count != 0)
      std::memcpy(elements.data(), file_.data() + where.offset, where.count * sizeof(Element));
    return elements;
  }

  [[nodiscard]] std::string text(std::uint32_t offset) const {
    const PlanTable& where = header_.table<char>();
    const auto strings = file_.subspan(where.offset, where.count);
    const auto start = strings.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(strings));
    const auto end = std::find(start, strings.end(), '\0');
    if (end == strings.end()) refuse("a name lies outside of it");
    return {start, end};
  }

 private:
  void check_header() {
    if (file_.size() < sizeof header_) refuse("it is too short to be a plan");
    std::memcpy(&header_, file_.data(), sizeof header_);
    if (!std::equal(std::begin(kPlanMagic), std::end(kPlanMagic), header_.magic)) refuse("it is not a plan");
    if (header_.byte_order != kPlanByteOrder) refuse("it was written on a machine of another byte order");
    if (header_.version != kPlanVersion) {
      refuse(fmt::format("it has version {}, this command reads version {}: plan again", header_.version,
                         kPlanVersion));
    }
    if (header_.file_bytes != file_.size()) {
      refuse(fmt::format("it has {} bytes and should have {}", file_.size(), header_.file_bytes));
    }
    const auto summed = file_.subspan(kPlanChecksumStart);
    if (header_.checksum != plan_checksum(summed.data(), summed.size())) refuse("its checksum is wrong");
  }

  std::span<const unsigned char> file_;
  PlanHeader header_{};
};

class Decoder {
 public:
  explicit Decoder(std::span<const unsigned char> file) : file_(file) {}

  PlanDescription decode() {
    PlanDescription plan;
    for (const PlanModule& module : file_.table<PlanModule>()) plan.modules.push_back(describe(module));
    for (const PlanCell& cell : file_.table<PlanCell>()) plan.cells.push_back(cell.bytes);
    sites_ = file_.table<PlanSite>();
    scopes_ = file_.table<PlanScope>();
    slots_ = file_.table<PlanSlot>();
    for (const PlanVariant& variant : file_.table<PlanVariant>()) {
      plan.variants.push_back(describe(variant, plan));
    }
    for (const PlanLoop& loop : file_.table<PlanLoop>()) add(loop, plan);
    for (const PlanShapes& shapes : file_.table<PlanShapes>()) add(shapes, plan);
    for (const PlanFormula& formula : file_.table<PlanFormula>()) add(formula, plan);
    for (const PlanAnchor& anchor : file_.table<PlanAnchor>()) plan.anchors.push_back(describe(anchor, plan));
    return plan;
  }

 private:
  PlanModuleDescription describe(const PlanModule& module) const {
    if (module.build_id_bytes > sizeof module.build_id) refuse("a build-id is too long");
    std::string hex;
    for (std::uint32_t byte = 0; byte < module.build_id_bytes; ++byte) {
      hex += fmt::format("{:02x}", module.build_id[byte]);
    }
    return {.build_id = hex, .path = file_.text(module.path)};
  }

  template <typename T>
  static std::span<const T> range(const std::vector<T>& all, std::uint32_t first, std::uint32_t count) {
    if (first > all.size() || count > all.size() - first) refuse("a variant names what is not there");
    return std::span(all).subspan(first, count);
  }

  PlanVariantDescription describe(const PlanVariant& variant, const PlanDescription& plan) const {
    PlanVariantDescription out{.fingerprint = variant.fingerprint,
                               .pass_key = variant.pass_key,
                               .lower_bound = variant.lower_bound,
                               .unplanned = variant.unplanned,
                               .shapes = variant.shapes,
                               .warm_up = variant.warm_up,
                               .strategy = file_.text(variant.strategy),
                               .scopes = {},
                               .slots = {},
                               .loops = {}};
    for (const PlanScope& scope : range(scopes_, variant.first_scope, variant.scope_count)) {
      out.scopes.push_back({file_.text(scope.name), scope.first_slot, scope.end_slot, scope.parent});
    }
    for (const PlanSlot& slot : range(slots_, variant.first_slot, variant.slot_count)) {
      out.slots.push_back(describe(slot, plan));
    }
    return out;
  }

  static void add(const PlanLoop& loop, PlanDescription& plan) {
    if (loop.variant >= plan.variants.size()) refuse("a loop is in a variant that is not there");
    PlanVariantDescription& variant = plan.variants[loop.variant];
    if (loop.end_slot > variant.slots.size() || loop.end_scope > variant.scopes.size())
      refuse("a loop goes over slots or scopes that are not there");
    variant.loops.push_back({.first_slot = loop.first_slot,
                             .end_slot = loop.end_slot,
                             .slots = loop.slots,
                             .first_scope = loop.first_scope,
                             .end_scope = loop.end_scope,
                             .scopes = loop.scopes});
  }

  static void add(const PlanShapes& shapes, PlanDescription& plan) {
    const std::uint64_t highest = std::max({shapes.least_bytes, shapes.most_bytes, shapes.alone_bytes});
    if (shapes.variant >= plan.variants.size() || shapes.varying > kMaxVaryingSizes || highest > INT64_MAX)
      refuse("what it says of shapes is of a variant that is not there, or not possible");
    ShapeRange& range = plan.variants[shapes.variant].range;
    range = {.least = static_cast<std::int64_t>(shapes.least_bytes),
             .most = static_cast<std::int64_t>(shapes.most_bytes),
             .alone = static_cast<std::int64_t>(shapes.alone_bytes),
             .varying = {}};
    for (std::uint32_t i = 0; i < shapes.varying; ++i)
      range.varying.push_back({.least = shapes.least[i], .most = shapes.most[i]});
  }

  static void add(const PlanFormula& formula, PlanDescription& plan) {
    if (formula.variant >= plan.variants.size() ||
        formula.slot >= plan.variants[formula.variant].slots.size() || formula.factor == 0)
      refuse("a formula is for a slot that is not in the plan, or its factor is 0");
    plan.variants[formula.variant].slots[formula.slot].formula = {
        .base = formula.base,
        .factor = formula.factor,
        .rounding = formula.rounding,
        .powers = {formula.powers[0], formula.powers[1], formula.powers[2]}};
  }

  PlanSiteDescription site(std::uint32_t number, const PlanDescription& plan) const {
    if (number >= sites_.size() || sites_[number].module >= plan.modules.size())
      refuse("a slot or an anchor names a call site that is not there");
    return {sites_[number].module, sites_[number].offset};
  }

  PlanAnchorDescription describe(const PlanAnchor& anchor, const PlanDescription& plan) const {
    return {.site = site(anchor.site, plan),
            .least = anchor.least,
            .most = anchor.most,
            .pass_key = anchor.pass_key};
  }

  PlanSlotDescription describe(const PlanSlot& slot, const PlanDescription& plan) const {
    const bool large = slot.zone == PlanZone::kLarge;
    const PlanList list = has_list(slot.zone) ? list_at(slot.place) : PlanList{};
    if ((large && slot.place < file_.header().large_start) ||
        (slot.zone == PlanZone::kCell && slot.place >= plan.cells.size()) ||
        std::uint64_t{list.first} + list.cells > plan.cells.size()) {
      refuse("a slot lies outside of its zone");
    }
    return {.site = site(slot.site, plan),
            .size = slot.size,
            .alignment = slot.alignment,
            .scope = slot.scope,
            .freed_at = slot.freed_at,
            .zone = slot.zone,
            .place = list.cells != 0 ? list.first
                     : large         ? slot.place - file_.header().large_start
                                     : slot.place,
            .cells = list.cells,
            .spread = slot.spread};
  }

  PlanFileTables file_;
  std::vector<PlanSite> sites_;
  std::vector<PlanScope> scopes_;
  std::vector<PlanSlot> slots_;
};

}  // namespace

PlanDescription decode_plan(std::span<const unsigned char> file) {
  return Decoder(file).decode();
}

PlanDescription read_plan(const std::filesystem::path& path) {
  try {
    const std::string bytes = process::read_regular_file(path);
    return decode_plan({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  } catch (const process::Unreadable& why) {
    refuse(fmt::format("cannot read the plan {}: {}", path.string(), why.what()));
  } catch (const std::runtime_error& error) {
    refuse(fmt::format("cannot use the plan {}: {}", path.string(), error.what()));
  }
}

}  // namespace memo::planner
