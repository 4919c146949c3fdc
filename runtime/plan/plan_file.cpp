#include "runtime/plan/plan_file.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/formats/rounding.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/own_memory.h"

namespace memo::runtime {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

__attribute__((format(printf, 2, 3))) bool fault(PlanFault* why, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

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

bool inside(const PlanFile& file, const PlanTable& table, std::size_t element) {
  return table.offset % 8 == 0 && table.offset >= sizeof(PlanHeader) && table.offset <= file.size &&
         table.count <= (file.size - table.offset) / element;
}

bool check_tables(const PlanFile& file, PlanFault* why) {
  const PlanHeader& header = file.header();
  if (!inside(file, header.modules, sizeof(PlanModule)) || !inside(file, header.sites, sizeof(PlanSite)) ||
      !inside(file, header.cells, sizeof(PlanCell)) || !inside(file, header.variants, sizeof(PlanVariant)) ||
      !inside(file, header.scopes, sizeof(PlanScope)) || !inside(file, header.slots, sizeof(PlanSlot)) ||
      !inside(file, header.anchors, sizeof(PlanAnchor)) || !inside(file, header.loops, sizeof(PlanLoop)) ||
      !inside(file, header.strings, 1)) {
    return fault(why, "one of its tables lies outside of the file");
  }
  const PlanTable& strings = header.strings;
  if (strings.count == 0 || file.bytes[strings.offset + strings.count - 1] != '\0') {
    return fault(why, "its names are not terminated");
  }
  if (header.variants.count == 0 || header.variants.count > kMaxVariants) {
    return fault(why, "it has %llu variants", static_cast<unsigned long long>(header.variants.count));
  }
  return true;
}

bool check_modules(const PlanFile& file, PlanFault* why) {
  if (file.modules().size() > kMaxModules || file.sites().size() > kMaxSites) {
    return fault(why, "it names %zu binaries and %zu call sites, at most %u and %u are possible",
                 file.modules().size(), file.sites().size(), kMaxModules, kMaxSites);
  }
  for (const PlanModule& module : file.modules()) {
    if (module.build_id_bytes > sizeof module.build_id || module.path >= file.header().strings.count) {
      return fault(why, "a module in it has a build-id or a name that is not there");
    }
  }
  for (const PlanSite& site : file.sites()) {
    if (site.module >= file.header().modules.count) {
      return fault(why, "a call site names module %u of %llu", site.module,
                   static_cast<unsigned long long>(file.header().modules.count));
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
    if (anchor.site >= file.header().sites.count || anchor.least > anchor.most) {
      return fault(why, "what opens a pass is at a call site or of a size that is not there");
    }
  }
  return true;
}

bool check_scopes(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  std::uint32_t previous = 0;
  for (std::uint32_t index = 0; index < variant.scope_count; ++index) {
    const PlanScope& scope = file.scopes()[variant.first_scope + index];
    const bool ranged = previous <= scope.first_slot && scope.first_slot <= scope.end_slot &&
                        scope.end_slot <= variant.slot_count;
    const bool rooted = scope.parent == kNoScope || scope.parent < index;
    if (!ranged || !rooted || scope.name >= file.header().strings.count) {
      return fault(why, "scope %u names slots or scopes that are not there", index);
    }
    previous = scope.first_slot;
  }
  return true;
}

bool fits_cell(const PlanFile& file, const PlanSlot& slot) {
  return slot.place < file.header().cells.count && slot.size <= file.cells()[slot.place].bytes &&
         slot.alignment <= kGranule;
}

bool fits_large(const PlanFile& file, const PlanVariant& variant, const PlanSlot& slot) {
  const std::uint64_t step = slot.alignment > kGranule ? slot.alignment : kGranule;
  return slot.place >= file.header().large_start && slot.place <= variant.height && slot.place % step == 0 &&
         slot.size != 0 && slot.size <= variant.height - slot.place;
}

bool check_slot(const PlanFile& file, const PlanVariant& variant, const PlanSlot& slot) {
  const bool linked = slot.site < file.header().sites.count &&
                      (slot.scope == kNoScope || slot.scope < variant.scope_count) &&
                      slot.freed_at <= variant.slot_count;
  if (!linked || !std::has_single_bit(slot.alignment) || slot.alignment > kMaxPlanAlignment) return false;
  if (slot.growth > kMaxPlanHeight) return false;
  if (slot.zone == PlanZone::kCell) return fits_cell(file, slot);
  if (slot.zone == PlanZone::kLarge) return fits_large(file, variant, slot);
  return slot.zone == PlanZone::kHeap && slot.place == 0;
}

bool check_slots(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  std::uint32_t large = 0;
  std::uint64_t end = file.header().large_start;
  for (std::uint32_t index = 0; index < variant.slot_count; ++index) {
    const PlanSlot& slot = file.slots()[variant.first_slot + index];
    if (!check_slot(file, variant, slot)) {
      return fault(why, "slot %u has a place, a size or a name that is not possible", index);
    }
    if (slot.zone != PlanZone::kLarge) continue;
    ++large;
    end = std::max(end, slot.place + whole_granules(slot.size));
  }
  if (end != variant.height) {
    return fault(why, "a variant is %llu bytes high and its slots end at %llu",
                 static_cast<unsigned long long>(variant.height), static_cast<unsigned long long>(end));
  }
  if (large > kMaxLargeSlots) {
    return fault(why, "a variant has %u large slots, at most %u are possible", large, kMaxLargeSlots);
  }
  return true;
}

bool holds(std::uint64_t count, std::uint32_t first, std::uint32_t length) {
  return first <= count && length <= count - first;
}

bool check_variant(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  const PlanHeader& header = file.header();
  if (!holds(header.scopes.count, variant.first_scope, variant.scope_count) ||
      !holds(header.slots.count, variant.first_slot, variant.slot_count) ||
      variant.strategy >= header.strings.count) {
    return fault(why, "a variant names slots, scopes or words that are not there");
  }
  if (variant.height < header.large_start || variant.height % kGranule != 0 ||
      variant.height > kMaxPlanHeight) {
    return fault(why, "a variant is %llu bytes high", static_cast<unsigned long long>(variant.height));
  }
  return check_scopes(file, variant, why) && check_slots(file, variant, why);
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

// Returns true if `count` elements are `of_one` for each iteration of the period.
bool divides(std::uint32_t count, std::uint32_t of_one, std::uint32_t period) {
  return std::uint64_t{of_one} * period == count;
}

bool check_loop(const PlanFile& file, const PlanLoop& loop) {
  if (loop.variant >= file.header().variants.count) return false;
  const PlanVariant& variant = file.variants()[loop.variant];
  if (loop.first_slot >= loop.end_slot || loop.end_slot > variant.slot_count || loop.slots == 0) return false;
  if (loop.first_scope > loop.end_scope || loop.end_scope > variant.scope_count) return false;
  const std::uint32_t period = (loop.end_slot - loop.first_slot) / loop.slots;
  return period <= kMaxLoopPeriod && divides(loop.end_slot - loop.first_slot, loop.slots, period) &&
         divides(loop.end_scope - loop.first_scope, loop.scopes, period);
}

// Checks all loops. The loops of a variant stand together in the table, in the order of their slots.
bool check_loops(const PlanFile& file, PlanFault* why) {
  const std::span<const PlanLoop> loops = file.loops();
  std::uint32_t of_variant = 0;
  for (std::size_t index = 0; index < loops.size(); ++index) {
    const PlanLoop* before = index == 0 ? nullptr : &loops[index - 1];
    const bool follows = before != nullptr && before->variant == loops[index].variant;
    of_variant = follows ? of_variant + 1 : 1;
    const bool in_order = before == nullptr || before->variant < loops[index].variant ||
                          (follows && before->end_slot <= loops[index].first_slot &&
                           before->end_scope <= loops[index].first_scope);
    if (!in_order || of_variant > kMaxLoops || !check_loop(file, loops[index]))
      return fault(why, "loop %zu goes over slots or scopes that are not there, or over those of another",
                   index);
  }
  return true;
}

Privileges own_privileges() {
  return {.raised = getauxval(AT_SECURE) != 0, .real = getuid(), .effective = geteuid()};
}

// Returns nullptr, with errno set, if there is no memory.
unsigned char* memory_for(std::size_t bytes) {
  return static_cast<unsigned char*>(map_own(Own::kPlans, bytes));
}

// Returns the contents of the file, in memory that the library maps; nullptr with errno set if it cannot.
unsigned char* copy_of(const OwnFile& file, std::size_t bytes) {
  unsigned char* copy = memory_for(bytes);
  if (copy == nullptr) return nullptr;
  for (std::size_t at = 0; at < bytes;) {
    const ssize_t got = file.read(copy + at, bytes - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      unmap_own(Own::kPlans, copy, bytes);
      errno = got == 0 ? EIO : errno;
      return nullptr;
    }
    at += static_cast<std::size_t>(got);
  }
  return copy;
}

bool read_plan(const OwnFile& file, PlanFile* out, PlanFault* why) {
  struct stat about {};
  if (file.describe(&about) != 0) return fault(why, "%s", strerrordesc_np(errno));
  if (!S_ISREG(about.st_mode)) return fault(why, "it is not a regular file");
  if (!check_trust(about, own_privileges(), why)) return false;
  out->size = static_cast<std::size_t>(about.st_size);
  if (out->size < sizeof(PlanHeader) || out->size > kMaxFileBytes) {
    return fault(why, "%zu bytes are not the size of a plan", out->size);
  }
  out->bytes = copy_of(file, out->size);
  return out->bytes != nullptr || fault(why, "it could not be read: %s", strerrordesc_np(errno));
}

}  // namespace

bool check_trust(const struct stat& file, const Privileges& mine, PlanFault* why) {
  if (!mine.raised) return true;
  const bool changed_user = mine.effective != mine.real;
  if (file.st_uid != 0 && !(changed_user && file.st_uid == mine.effective)) {
    return fault(why, "it belongs to user %u and this program has raised privileges: let root own it",
                 file.st_uid);
  }
  if ((file.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fault(why, "others may write to it (mode %03o) and this program has raised privileges: chmod go-w",
                 file.st_mode & 0777);
  }
  return true;
}

bool check_plan(const PlanFile& file, PlanFault* why) {
  if (!check_header(file, why) || !check_tables(file, why)) return false;
  if (!check_modules(file, why) || !check_cells(file, why) || !check_anchors(file, why)) return false;
  for (const PlanVariant& variant : file.variants()) {
    if (!check_variant(file, variant, why)) return false;
  }
  return check_loops(file, why) && check_sums(file, why);
}

bool open_plan(const char* path, PlanFile* out, PlanFault* why) {
  OwnFile file;
  const bool opened = file.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);  // opening a pipe must not block
  if (!opened) return fault(why, "%s", strerrordesc_np(errno));
  const bool have = read_plan(file, out, why);
  file.close();
  if (!have) return false;
  if (check_plan(*out, why)) return true;
  close_plan(*out);
  return false;
}

bool copy_plan(const PlanFile& file, PlanFile* out) {
  unsigned char* copy = memory_for(file.size);
  if (copy == nullptr) return false;
  std::memcpy(copy, file.bytes, file.size);
  *out = {.bytes = copy, .size = file.size};
  return true;
}

void close_plan(const PlanFile& file) {
  unmap_own(Own::kPlans, const_cast<unsigned char*>(file.bytes), file.size);
}

}  // namespace memo::runtime
