// What a report shows of one kind of pass: its buffers, where each strategy or plan puts them, and what the heap is left
// with. Plain data; made from plans, traces and CSV instances by the files beside this one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/problem/problem.h"
#include "planner/tool/report/live_bytes.h"

namespace memo::planner {

// Names under numbers, so that sixty thousand buffers can point at a few hundred of them.
class NameTable {
 public:
  std::uint32_t add(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

enum class LayoutKind {
  kPlan,  // offsets in a slab
  kHeap,  // where the heap of the profiled process had them, see heap_layout.h
};

struct Layout {
  std::string name;  // the strategy, or the plan's file
  LayoutKind kind = LayoutKind::kPlan;
  std::string status;  // as `plan` says it; "" where nobody knows
  Bytes height = 0;
  Bytes cells = 0;  // of these at the bottom, the cells for small blocks
  double seconds = 0;
  std::string note;
  Offsets offsets;
  std::vector<LiveStep> touched;  // kHeap: bytes of the pages touched up to then
};

// One call of an operator, for the strip below the map.
struct PictureScope {
  std::uint32_t name = 0;  // in Picture::operators
  Lifetime life;
  std::uint32_t depth = 0;
};

// Allocations that no plan holds, by reason, operator and caller.
struct LeftToHeap {
  std::string reason;
  std::string oper;
  std::string site;
  std::size_t allocations = 0;
  Bytes bytes = 0;
};

struct Picture {
  std::string title;
  std::string source;     // the file it is from
  std::string pass_name;  // "" where a plan or an instance does not say
  std::uint64_t key = 0;
  std::uint64_t fingerprint = 0;
  std::size_t runs = 0;   // 0: unknown
  std::string time_unit;  // what the time axis counts

  Problem problem;                  // the planned buffers
  std::vector<std::uint32_t> oper;  // of each buffer, in operators
  std::vector<std::uint32_t> site;  // of each buffer, in sites
  NameTable operators;
  NameTable sites;
  std::vector<PictureScope> scopes;

  Bytes lower_bound = 0;
  std::vector<Layout> layouts;
  std::size_t unplanned = 0;
  std::vector<LeftToHeap> left_to_heap;  // by bytes; empty where only their number is known
};

[[nodiscard]] Bytes bytes_requested(const Picture& picture);

// Puts the layouts of pictures of the same buffers together, and appends the others. A layout that is there already, by
// name and places, is left out.
void merge(std::vector<Picture>& pictures, std::vector<Picture> more);

}  // namespace memo::planner
