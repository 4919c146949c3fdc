// A plan file in memory, checked once. The bytes are a private copy: truncating or overwriting the file later
// does not reach the library (a mapping of the file would fault or change while it is in use).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"
#include "runtime/plan/plan_fault.h"

namespace memo::runtime {

struct PlanFile {
  const unsigned char* bytes;
  std::size_t size;
  std::size_t more = 0;  // bytes behind it that a copy has room for

  [[nodiscard]] const PlanHeader& header() const { return *reinterpret_cast<const PlanHeader*>(bytes); }
  [[nodiscard]] std::span<const PlanModule> modules() const { return table<PlanModule>(header().modules); }
  [[nodiscard]] std::span<const PlanSite> sites() const { return table<PlanSite>(header().sites); }
  [[nodiscard]] std::span<const PlanCell> cells() const { return table<PlanCell>(header().cells); }
  [[nodiscard]] std::span<const PlanVariant> variants() const {
    return table<PlanVariant>(header().variants);
  }
  [[nodiscard]] std::span<const PlanScope> scopes() const { return table<PlanScope>(header().scopes); }
  [[nodiscard]] std::span<const PlanAnchor> anchors() const { return table<PlanAnchor>(header().anchors); }
  [[nodiscard]] std::span<const PlanLoop> loops() const { return table<PlanLoop>(header().loops); }
  [[nodiscard]] std::span<const PlanSlot> slots() const { return table<PlanSlot>(header().slots); }
  // What lies between the loops and the strings; nothing if the tables are in another order.
  [[nodiscard]] std::span<const PlanFormula> formulas() const {
    const std::uint64_t begin = header().loops.offset + header().loops.count * sizeof(PlanLoop);
    const std::uint64_t end = header().strings.offset;
    if (end < begin) return {};
    return table<PlanFormula>({.offset = begin, .count = (end - begin) / sizeof(PlanFormula)});
  }
  // What lies after the strings.
  [[nodiscard]] std::span<const PlanShapes> shapes() const {
    const std::uint64_t begin = round_up(header().strings.offset + header().strings.count, 8);
    if (begin >= size) return {};
    return table<PlanShapes>({.offset = begin, .count = (size - begin) / sizeof(PlanShapes)});
  }
  [[nodiscard]] const char* text(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(bytes) + header().strings.offset + offset;
  }

  template <typename T>
  [[nodiscard]] std::span<const T> table(const PlanTable& where) const {
    return {reinterpret_cast<const T*>(bytes + where.offset), where.count};
  }
};

// Reads and checks a plan. Returns true if it can be used; give *out back with close_plan() then.
[[nodiscard]] bool open_plan(const char* path, PlanFile* out, PlanFault* why);
// Copies the plan, with room for more bytes behind it. Returns false if there is no memory.
[[nodiscard]] bool copy_plan(const PlanFile& file, PlanFile* out, std::size_t more = 0);
void close_plan(const PlanFile& file);

}  // namespace memo::runtime
