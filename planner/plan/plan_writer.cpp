#include "planner/plan/plan_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <system_error>

#include "planner/system/whole_file.h"

namespace memo::planner {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("cannot write the plan: " + why);
}

class Strings {
 public:
  std::uint32_t add(const std::string& text) {
    const auto [known, fresh] = offsets_.try_emplace(text, static_cast<std::uint32_t>(bytes_.size()));
    if (fresh) bytes_.insert(bytes_.end(), text.c_str(), text.c_str() + text.size() + 1);
    return known->second;
  }
  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::map<std::string, std::uint32_t> offsets_;
  std::vector<char> bytes_;
};

class Encoder {
 public:
  explicit Encoder(const PlanDescription& plan) : plan_(plan), large_start_(large_start(plan)) {}

  std::vector<unsigned char> encode() {
    strings_.add("");
    for (const PlanModuleDescription& module : plan_.modules) add_module(module);
    for (const std::uint64_t bytes : plan_.cells) add_cell(bytes);
    for (const PlanVariantDescription& variant : plan_.variants) add_variant(variant);
    for (const PlanAnchorDescription& anchor : plan_.anchors) add_anchor(anchor);
    return assemble();
  }

 private:
  void add_module(const PlanModuleDescription& module) {
    const std::string& hex = module.build_id;
    PlanModule out{};
    if (hex.size() % 2 != 0 || hex.size() > 2 * sizeof out.build_id ||
        hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
      refuse(fmt::format("\"{}\" is no build-id ({})", hex, module.path));
    }
    out.build_id_bytes = static_cast<std::uint32_t>(hex.size() / 2);
    for (std::uint32_t byte = 0; byte < out.build_id_bytes; ++byte) {
      out.build_id[byte] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * byte, 2), nullptr, 16));
    }
    out.path = strings_.add(module.path);
    modules_.push_back(out);
  }

  void add_cell(std::uint64_t bytes) {
    if (bytes == 0 || bytes % kGranule != 0 || bytes > kMaxCellBytes) {
      refuse(fmt::format("a cell of {} bytes; cells are multiples of {} up to {}", bytes, kGranule,
                         kMaxCellBytes));
    }
    cells_.push_back({.bytes = static_cast<std::uint32_t>(bytes)});
  }

  void add_variant(const PlanVariantDescription& variant) {
    PlanVariant out{};
    out.fingerprint = variant.fingerprint;
    out.pass_key = variant.pass_key;
    out.height = height(plan_, variant);
    out.lower_bound = variant.lower_bound;
    out.first_scope = static_cast<std::uint32_t>(scopes_.size());
    out.scope_count = static_cast<std::uint32_t>(variant.scopes.size());
    out.first_slot = static_cast<std::uint32_t>(slots_.size());
    out.slot_count = static_cast<std::uint32_t>(variant.slots.size());
    out.strategy = strings_.add(variant.strategy);
    out.unplanned = variant.unplanned;
    out.shapes = variant.shapes;
    out.warm_up = variant.warm_up;
    for (const PlanScopeDescription& scope : variant.scopes) add_scope(scope);
    for (const PlanSlotDescription& slot : variant.slots)
      if (slot.zone != PlanZone::kHeap) out.bytes_requested += slot.size;
    add_slots(variant);
    for (const PlanLoopDescription& loop : variant.loops) add_loop(loop);
    if (out.height > kMaxPlanHeight) refuse(fmt::format("a height of {} bytes", out.height));
    variants_.push_back(out);
  }

  // Adds a loop of the variant that add_variant() is adding.
  void add_loop(const PlanLoopDescription& loop) {
    loops_.push_back({.variant = static_cast<std::uint32_t>(variants_.size()),
                      .first_slot = loop.first_slot,
                      .end_slot = loop.end_slot,
                      .slots = loop.slots,
                      .first_scope = loop.first_scope,
                      .end_scope = loop.end_scope,
                      .scopes = loop.scopes,
                      .reserved = 0});
  }

  void add_scope(const PlanScopeDescription& scope) {
    scopes_.push_back({.name_hash = scope_name_hash(scope.name.c_str()),
                       .name = strings_.add(scope.name),
                       .first_slot = scope.first_slot,
                       .end_slot = scope.end_slot,
                       .parent = scope.parent});
  }

  void add_slots(const PlanVariantDescription& variant) {
    std::map<std::uint32_t, std::uint32_t> seen;  // site -> allocations so far in this variant
    std::size_t large = 0;
    for (std::size_t index = 0; index < variant.slots.size(); ++index) {
      const PlanSlotDescription& slot = variant.slots[index];
      large += slot.zone == PlanZone::kLarge ? 1 : 0;
      check(slot, index);
      const std::uint32_t site = number(slot.site);
      slots_.push_back({.size = slot.size,
                        .place = slot.zone == PlanZone::kLarge ? large_start_ + slot.place : slot.place,
                        .site = site,
                        .scope = slot.scope,
                        .occurrence = seen[site]++,
                        .alignment = slot.alignment,
                        .freed_at = slot.freed_at,
                        .zone = slot.zone,
                        .growth = slot.growth});
    }
    if (large > kMaxLargeSlots) {
      refuse(fmt::format("{} large slots in one variant, at most {} are possible", large, kMaxLargeSlots));
    }
  }

  void add_anchor(const PlanAnchorDescription& anchor) {
    if (anchor.least > anchor.most || anchors_.size() == kMaxAnchors)
      refuse(fmt::format("anchor {} is for {} to {} bytes, or one too many", anchors_.size(), anchor.least,
                         anchor.most));
    anchors_.push_back({.least = anchor.least,
                        .most = anchor.most,
                        .pass_key = anchor.pass_key,
                        .site = number(anchor.site),
                        .reserved = 0});
  }

  void check(const PlanSlotDescription& slot, std::size_t index) const {
    const std::uint64_t step = std::max<std::uint64_t>(slot.alignment, kGranule);
    if (!std::has_single_bit(slot.alignment) || slot.alignment > kMaxPlanAlignment) {
      refuse(fmt::format("slot {} has alignment {}", index, slot.alignment));
    }
    if (slot.growth > kMaxPlanHeight) refuse(fmt::format("slot {} grows by {} bytes", index, slot.growth));
    if (slot.zone == PlanZone::kCell) {
      if (slot.place >= plan_.cells.size()) refuse(fmt::format("slot {} names cell {}", index, slot.place));
      if (slot.size > plan_.cells[slot.place] || slot.alignment > kGranule) {
        refuse(fmt::format("slot {} ({} bytes, alignment {}) does not fit its cell", index, slot.size,
                           slot.alignment));
      }
    } else if (slot.zone == PlanZone::kLarge && (slot.place % step != 0 || slot.size == 0)) {
      refuse(
          fmt::format("slot {} ({} bytes) at {} is not aligned to {}", index, slot.size, slot.place, step));
    }
  }

  std::uint32_t number(const PlanSiteDescription& site) {
    const auto [known, fresh] = numbers_.try_emplace(site, static_cast<std::uint32_t>(sites_.size()));
    if (fresh) sites_.push_back({.module = site.module, .reserved = 0, .offset = site.offset});
    return known->second;
  }

  template <typename T>
  PlanTable append(const std::vector<T>& elements) {
    file_.resize((file_.size() + 7) / 8 * 8);
    const PlanTable table{.offset = file_.size(), .count = elements.size()};
    const auto* bytes = reinterpret_cast<const unsigned char*>(elements.data());
    file_.insert(file_.end(), bytes, bytes + elements.size() * sizeof(T));
    return table;
  }

  std::vector<unsigned char> assemble() {
    PlanHeader header{};
    file_.resize(sizeof header);
    std::copy(std::begin(kPlanMagic), std::end(kPlanMagic), header.magic);
    header.byte_order = kPlanByteOrder;
    header.version = kPlanVersion;
    header.large_start = large_start_;
    header.modules = append(modules_);
    header.sites = append(sites_);
    header.cells = append(cells_);
    header.variants = append(variants_);
    header.scopes = append(scopes_);
    header.slots = append(slots_);
    header.anchors = append(anchors_);
    header.loops = append(loops_);
    header.strings = append(strings_.bytes());
    header.file_bytes = file_.size();
    std::memcpy(file_.data(), &header, sizeof header);
    header.checksum = plan_checksum(file_.data() + kPlanChecksumStart, file_.size() - kPlanChecksumStart);
    std::memcpy(file_.data(), &header, sizeof header);
    return std::move(file_);
  }

  const PlanDescription& plan_;
  const std::uint64_t large_start_;
  Strings strings_;
  std::map<PlanSiteDescription, std::uint32_t> numbers_;
  std::vector<PlanModule> modules_;
  std::vector<PlanSite> sites_;
  std::vector<PlanCell> cells_;
  std::vector<PlanVariant> variants_;
  std::vector<PlanScope> scopes_;
  std::vector<PlanSlot> slots_;
  std::vector<PlanAnchor> anchors_;
  std::vector<PlanLoop> loops_;
  std::vector<unsigned char> file_;
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
