// A plan file in memory, checked once. The bytes are a private copy: whoever truncates or overwrites the file
// later does not reach us (a mapping of the file itself would fault or change under our feet).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/formats/plan_format.h"

struct stat;

namespace memo::runtime {

// Why a plan was refused: one sentence.
struct PlanFault {
  char text[200];
};

struct PlanFile {
  const unsigned char* bytes;
  std::size_t size;

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
  [[nodiscard]] const char* text(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(bytes) + header().strings.offset + offset;
  }

  template <typename T>
  [[nodiscard]] std::span<const T> table(const PlanTable& where) const {
    return {reinterpret_cast<const T*>(bytes + where.offset), where.count};
  }
};

// Everything the arena relies on holds in `file`: no index, size or place in it needs a second look. False: *why
// says what does not.
[[nodiscard]] bool check_plan(const PlanFile& file, PlanFault* why);

// `raised`: the program has more than whoever started it (set-user-id, set-group-id, file capabilities).
struct Privileges {
  bool raised;
  uid_t real;
  uid_t effective;
};

// May the file say where a program with such privileges keeps its data? Not if whoever started the program could have
// written it: it must be root's, or that of the user the program has become, and nobody else's to write to.
[[nodiscard]] bool check_trust(const struct stat& file, const Privileges& mine, PlanFault* why);

// Reads and checks. True: *out is to be given back with close_plan.
[[nodiscard]] bool open_plan(const char* path, PlanFile* out, PlanFault* why);
[[nodiscard]] bool copy_plan(const PlanFile& file, PlanFile* out);  // false: no memory
void close_plan(const PlanFile& file);

}  // namespace memo::runtime
