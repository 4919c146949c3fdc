#include "runtime/plan/plan_check.h"

#include <cstdint>
#include <cstring>

#include "runtime/plan/formula_check.h"
#include "runtime/plan/loop_check.h"
#include "runtime/plan/variant_check.h"

namespace memo::runtime {
namespace {

bool check_header(const PlanFile& file, PlanFault* why) {
  if (file.size < sizeof(PlanHeader))
    return fault(why, "it is too short to be a plan (%zu bytes)", file.size);
  const PlanHeader& header = file.header();
  if (std::memcmp(header.magic, kPlanMagic, sizeof kPlanMagic) != 0) return fault(why, "it is not a plan");
  if (header.byte_order != kPlanByteOrder)
    return fault(why, "it was written on a machine of another byte order");
  if (header.version != kPlanVersion) {
    return fault(why, "it has version %u and this library reads version %u: plan again", header.version,
                 kPlanVersion);
  }
  if (header.file_bytes != file.size) {
    return fault(why, "it has %zu bytes and should have %llu: it was cut off", file.size,
                 static_cast<unsigned long long>(header.file_bytes));
  }
  if (header.checksum != plan_checksum(file.bytes + kPlanChecksumStart, file.size - kPlanChecksumStart)) {
    return fault(why, "its checksum is wrong: it was damaged");
  }
  return true;
}

bool check_tables(const PlanFile& file, PlanFault* why) {
  if (const std::uint32_t number = first_table_outside(file.header(), file.size);
      number != PlanTables::kTables) {
    return fault(why, "table %u lies outside of the file", number);
  }
  if (file.strings().empty() || file.strings().back() != '\0') {
    return fault(why, "its names are not terminated");
  }
  if (file.variants().empty() || file.variants().size() > kMaxVariants) {
    return fault(why, "it has %zu variants", file.variants().size());
  }
  return true;
}

bool check_modules(const PlanFile& file, PlanFault* why) {
  if (file.modules().size() > kMaxModules || file.sites().size() > kMaxSites) {
    return fault(why, "it names %zu binaries and %zu call sites, at most %u and %u are possible",
                 file.modules().size(), file.sites().size(), kMaxModules, kMaxSites);
  }
  for (const PlanModule& module : file.modules()) {
    if (module.build_id_bytes > sizeof module.build_id || module.path >= file.strings().size()) {
      return fault(why, "a module in it has a build-id or a name that is not there");
    }
  }
  for (const PlanSite& site : file.sites()) {
    if (site.module >= file.modules().size()) {
      return fault(why, "a call site names module %u of %zu", site.module, file.modules().size());
    }
  }
  return true;
}

bool check_cells(const PlanFile& file, PlanFault* why) {
  const std::uint64_t large_start = file.header().large_start;
  std::uint64_t end = 0;
  for (const PlanCell& cell : file.cells()) {
    if (cell.bytes == 0 || cell.bytes % kGranule != 0 || cell.bytes > kMaxCellBytes) {
      return fault(why, "a cell of %u bytes is not possible", cell.bytes);
    }
    end += cell.bytes;
  }
  if (large_start < end || large_start - end >= kMaxPlanAlignment || large_start % kGranule != 0) {
    return fault(why, "its large slots begin at %llu, inside the cells or nowhere",
                 static_cast<unsigned long long>(large_start));
  }
  return true;
}

bool check_anchors(const PlanFile& file, PlanFault* why) {
  if (file.anchors().size() > kMaxAnchors) {
    return fault(why, "%zu call sites open passes, at most %u are possible", file.anchors().size(),
                 kMaxAnchors);
  }
  for (const PlanAnchor& anchor : file.anchors()) {
    if (anchor.site >= file.sites().size() || anchor.least > anchor.most) {
      return fault(why, "what opens a pass is at a call site or of a size that is not there");
    }
  }
  return true;
}

// Returns true if no two variants share a slot or a scope. If they could, a small file would make large tables.
bool check_sums(const PlanFile& file, PlanFault* why) {
  std::uint64_t slots = 0;
  std::uint64_t scopes = 0;
  for (const PlanVariant& variant : file.variants()) {
    slots += variant.slot_count;
    scopes += variant.scope_count;
  }
  if (slots <= file.slots().size() && scopes <= file.scopes().size()) return true;
  return fault(why, "its variants share slots or scopes");
}

}  // namespace

bool check_plan(const PlanFile& file, PlanFault* why) {
  if (!check_header(file, why) || !check_tables(file, why)) return false;
  if (!check_modules(file, why) || !check_cells(file, why) || !check_anchors(file, why)) return false;
  for (const PlanVariant& variant : file.variants()) {
    if (!check_variant(file, variant, why)) return false;
  }
  return check_loops(file, why) && check_formulas(file, why) && check_sums(file, why);
}

}  // namespace memo::runtime
