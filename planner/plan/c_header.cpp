#include "planner/plan/c_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kLeastAlignment = 64;

bool is_letter_or_digit(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Makes an identifier of a file's name without its folder and its last ending.
std::string identifier(std::string_view file_name) {
  file_name.remove_prefix(file_name.find_last_of('/') + 1);
  const std::string_view stem = file_name.substr(0, file_name.rfind('.'));
  std::string name;
  for (const char c : stem.empty() ? file_name : stem) name += is_letter_or_digit(c) ? c : '_';
  const bool letter_first = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return letter_first ? name : "plan_" + name;
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Replaces what would end a comment line or continue it: names come from traces.
std::string harmless(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool printable = c >= ' ' && c <= '~';
    text += printable && c != '\\' && c != '?' ? c : '_';
  }
  return text;
}

std::string path_of(const PlanVariantDescription& variant, std::uint32_t scope) {
  std::string path;
  for (; scope != kNoScope; scope = variant.scopes[scope].parent) {
    if (!path.empty()) path.insert(0, " > ");
    path.insert(0, harmless(variant.scopes[scope].name));
  }
  return path.empty() ? "outside of operators" : path;
}

// Returns where each cell of the plan begins.
std::vector<std::uint64_t> cell_starts(const PlanDescription& plan) {
  std::vector<std::uint64_t> starts(plan.cells.size());
  std::exclusive_scan(plan.cells.begin(), plan.cells.end(), starts.begin(), std::uint64_t{0});
  return starts;
}

class CHeader {
 public:
  CHeader(const PlanDescription& plan, std::string_view file_name)
      : plan_(plan),
        variant_(plan.variants.front()),
        cells_(cell_starts(plan)),
        name_(identifier(file_name)),
        capitals_(in_capitals(name_)) {}

  [[nodiscard]] std::string text() const {
    return substitute(kHead) + constants() + table() + substitute(kFunctions);
  }

 private:
  static const std::string_view kHead;
  static const std::string_view kFunctions;

  // Puts the names of this header in place of $ and @.
  [[nodiscard]] std::string substitute(std::string_view text) const {
    std::string result;
    for (const char c : text) {
      if (c == '$') {
        result += name_;
      } else if (c == '@') {
        result += capitals_;
      } else {
        result += c;
      }
    }
    return result;
  }

  [[nodiscard]] std::uint64_t slab_bytes() const {
    return std::max<std::uint64_t>(height(plan_, variant_), kLeastAlignment);
  }
  [[nodiscard]] std::uint64_t alignment() const {
    std::uint64_t most = kLeastAlignment;
    for (const PlanSlotDescription& slot : variant_.slots)
      most = std::max<std::uint64_t>(most, slot.alignment);
    return most;
  }
  [[nodiscard]] std::uint64_t offset_of(const PlanSlotDescription& slot) const {
    return slot.zone == PlanZone::kCell ? cells_[slot.place] : large_start(plan_) + slot.place;
  }
  [[nodiscard]] std::string offset_text(const PlanSlotDescription& slot) const {
    return has_place(slot) ? fmt::format("{}", offset_of(slot)) : capitals_ + "_NO_PLACE";
  }

  [[nodiscard]] std::string constants() const {
    const auto outside = std::count_if(variant_.slots.begin(), variant_.slots.end(),
                                       [](const PlanSlotDescription& slot) { return !has_place(slot); });
    std::string text = substitute("#define @_SLAB_BYTES ") + fmt::format("{}\n", slab_bytes());
    text += substitute("#define @_ALIGNMENT ") + fmt::format("{}\n", alignment());
    text += substitute("#define @_BLOCKS ") +
            fmt::format("{}  // allocations of a pass\n", variant_.slots.size());
    text +=
        substitute("#define @_WITHOUT_PLACE ") +
        fmt::format("{}  // of these, live on after the pass: the program keeps them elsewhere\n", outside);
    text += substitute("#define @_NO_PLACE SIZE_MAX\n\n");
    for (std::size_t k = 0; k < variant_.slots.size(); ++k) text += constants_of(k, variant_.slots[k]);
    return text;
  }
  [[nodiscard]] std::string constants_of(std::size_t k, const PlanSlotDescription& slot) const {
    return fmt::format("#define {0}_BYTES_{1} {2}\n#define {0}_OFFSET_{1} {3}\n", capitals_, k, slot.size,
                       offset_text(slot));
  }

  [[nodiscard]] std::string table() const {
    std::string text = substitute(kTable);
    for (std::uint32_t k = 0; k < variant_.slots.size(); ++k) {
      const PlanSlotDescription& slot = variant_.slots[k];
      text += fmt::format("    {{{0}_OFFSET_{1}, {0}_BYTES_{1}}},  // {1}: {2}, {3}\n", capitals_, k,
                          path_of(variant_, slot.scope), until(k));
    }
    return text + "};\n";
  }
  [[nodiscard]] std::string until(std::uint32_t slot) const {
    const std::uint32_t end = life_of(variant_, slot).end;
    if (end >= variant_.slots.size()) return "until the pass ends";
    return fmt::format("free before allocation {}", end);
  }

  static const std::string_view kTable;

  const PlanDescription& plan_;
  const PlanVariantDescription& variant_;
  std::vector<std::uint64_t> cells_;
  std::string name_;
  std::string capitals_;
};

const std::string_view CHeader::kHead =
    R"(// A memory plan, written by `memomalloc plan --emit-c`. It needs nothing but a C11 or C++11 compiler.
//
// One file of the program defines @_DEFINE_SLAB before it includes this header: the slab is defined there.
//   @_SECTION     attributes of the slab, such as __attribute__((section(".sram")))
//   @_MOST_BYTES  a limit: a slab that is larger does not compile
#ifndef @_H
#define @_H

#include <stddef.h>
#include <stdint.h>

)";

const std::string_view CHeader::kTable = R"(
#ifdef __cplusplus
#define @_ALIGNED alignas(@_ALIGNMENT)
#define @_REQUIRE static_assert
extern "C" {
#else
#define @_ALIGNED _Alignas(@_ALIGNMENT)
#define @_REQUIRE _Static_assert
#endif

#ifdef @_MOST_BYTES
@_REQUIRE(@_SLAB_BYTES <= (@_MOST_BYTES), "the slab of this plan is larger than @_MOST_BYTES");
#endif

#ifndef @_SECTION
#define @_SECTION
#endif

// The memory of one pass. Passes that run at once need a slab each.
@_ALIGNED extern unsigned char $_slab[@_SLAB_BYTES];
#ifdef @_DEFINE_SLAB
@_ALIGNED unsigned char $_slab[@_SLAB_BYTES] @_SECTION;
#endif

#ifdef __cplusplus
}
#endif

// The address of allocation K, a number from 0, as a constant. It does not compile for a block without a place.
#define @_ADDRESS(K) (&$_slab[@_OFFSET_##K])

typedef struct {
  size_t offset;  // in the slab, or @_NO_PLACE
  size_t bytes;
} $_place;

// The allocations in the order in which a pass makes them.
static const $_place $_blocks[@_BLOCKS] = {
)";

const std::string_view CHeader::kFunctions = R"(
// Returns the address of allocation k of a pass; NULL for one without a place, and beyond the last.
static inline void *$_block(size_t k) {
  if (k >= @_BLOCKS || $_blocks[k].offset == @_NO_PLACE) return NULL;
  return $_slab + $_blocks[k].offset;
}

// How far a pass is. A pass begins with {0}.
typedef struct {
  size_t next;
} $_pass;

// Returns the address of the pass's next allocation, or NULL if it is larger than planned or has no place: then
// the pass is not the one that was profiled, and the program takes other memory.
static inline void *$_take($_pass *pass, size_t bytes) {
  const size_t k = pass->next++;
  return k < @_BLOCKS && bytes <= $_blocks[k].bytes ? $_block(k) : NULL;
}

#endif
)";

std::string why_not(const PlanVariantDescription& variant) {
  if (variant.slots.empty()) return "it has no allocation";
  if (!variant.loops.empty()) return "it has a loop, which a pass runs any number of times";
  if (variant.shapes > 1) return fmt::format("it joins {} shapes, whose sizes differ", variant.shapes);
  for (const PlanSlotDescription& slot : variant.slots) {
    if (slot.formula.exists()) return "its blocks grow with the shape";
    if (has_list(slot.zone)) return "it has lists, whose blocks take any cell of several";
  }
  return {};
}

}  // namespace

std::string why_no_c_header(const PlanDescription& plan) {
  if (plan.variants.size() != 1)
    return fmt::format(
        "the plan has {} variants, and a header holds the places of one; profile passes of one "
        "shape alone",
        plan.variants.size());
  const std::string reason = why_not(plan.variants.front());
  return reason.empty() ? reason
                        : reason + ", and a header holds fixed places; profile passes of one shape alone";
}

std::string to_c_header(const PlanDescription& plan, std::string_view file_name) {
  return CHeader(plan, file_name).text();
}

}  // namespace memo::planner
