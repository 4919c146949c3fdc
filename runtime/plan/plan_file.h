// A plan file in memory, checked once. The bytes are a private copy: truncating or overwriting the file later
// does not reach the library (a mapping of the file would fault or change while it is in use).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/formats/plan_format.h"
#include "runtime/plan/plan_fault.h"

namespace memo::runtime {

struct PlanFile {
  const unsigned char* bytes;
  std::size_t size;
  std::size_t more = 0;  // bytes behind it that a copy has room for

  [[nodiscard]] const PlanHeader& header() const { return *reinterpret_cast<const PlanHeader*>(bytes); }
  [[nodiscard]] std::span<const PlanModule> modules() const { return elements<PlanModule>(); }
  [[nodiscard]] std::span<const PlanSite> sites() const { return elements<PlanSite>(); }
  [[nodiscard]] std::span<const PlanCell> cells() const { return elements<PlanCell>(); }
  [[nodiscard]] std::span<const PlanVariant> variants() const { return elements<PlanVariant>(); }
  [[nodiscard]] std::span<const PlanScope> scopes() const { return elements<PlanScope>(); }
  [[nodiscard]] std::span<const PlanSlot> slots() const { return elements<PlanSlot>(); }
  [[nodiscard]] std::span<const PlanAnchor> anchors() const { return elements<PlanAnchor>(); }
  [[nodiscard]] std::span<const PlanLoop> loops() const { return elements<PlanLoop>(); }
  [[nodiscard]] std::span<const PlanFormula> formulas() const { return elements<PlanFormula>(); }
  [[nodiscard]] std::span<const PlanShapes> shapes() const { return elements<PlanShapes>(); }
  [[nodiscard]] std::span<const char> strings() const { return elements<char>(); }
  [[nodiscard]] const char* text(std::uint32_t offset) const { return strings().data() + offset; }

 private:
  template <typename Element>
  [[nodiscard]] std::span<const Element> elements() const {
    const PlanTable& where = header().table<Element>();
    return {reinterpret_cast<const Element*>(bytes + where.offset), where.count};
  }
};

// Reads and checks a plan. Returns true if it can be used; give *out back with close_plan() then.
[[nodiscard]] bool open_plan(const char* path, PlanFile* out, PlanFault* why);
// Copies the plan, with room for more bytes behind it. Returns false if there is no memory.
[[nodiscard]] bool copy_plan(const PlanFile& file, PlanFile* out, std::size_t more = 0);
void close_plan(const PlanFile& file);

}  // namespace memo::runtime
