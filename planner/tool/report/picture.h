// Holds what a report shows of one kind of pass: its buffers, where each strategy or plan places them, and what
// is left to the heap. Plain data; the other files of this folder make it from plans, traces and CSV instances.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/problem/problem.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/tool/report/name_table.h"
#include "planner/tool/report/shapes.h"

namespace memo::planner {

enum class LayoutKind {
  kPlan,  // the offsets of buffers in a slab
  kHeap,  // the places that the heap of the profiled process gave them (trace_pictures.cpp)
};

struct Layout {
  std::string name;  // the strategy, or the plan's file
  LayoutKind kind = LayoutKind::kPlan;
  std::string status;  // the word that `plan` prints; "" if unknown
  Bytes height = 0;
  Bytes cells = 0;  // the part of the height, at the bottom, that holds the cells
  double seconds = 0;
  std::string note;
  Offsets offsets;
  std::vector<LiveStep> touched;  // kHeap: bytes of the pages touched so far
};

// A call of an operator, for the strip below the map.
struct PictureScope {
  std::uint32_t name = 0;  // an index into Picture::operators
  Lifetime life;
  std::uint32_t depth = 0;
};

// Allocations that no plan holds, grouped by reason, operator and caller.
struct LeftToHeap {
  std::string reason;
  std::string oper;
  std::string site;
  std::size_t allocations = 0;
  Bytes bytes = 0;
};

struct Picture {
  std::string title;
  std::string source;     // the file that the picture was made from
  std::string pass_name;  // "" if the plan or the instance does not say
  std::uint64_t key = 0;
  std::uint64_t fingerprint = 0;
  std::size_t runs = 0;           // 0: unknown
  ShapesOfStructure shapes = {};  // of a variant that serves many shapes
  std::string time_unit;          // the unit of the time axis

  Problem problem;                  // the planned buffers
  std::vector<std::uint32_t> oper;  // for each buffer an index into operators
  std::vector<std::uint32_t> site;  // for each buffer an index into sites
  NameTable operators;
  NameTable sites;
  std::vector<PictureScope> scopes;

  Bytes lower_bound = 0;
  std::vector<Layout> layouts;
  std::size_t unplanned = 0;
  std::vector<LeftToHeap> left_to_heap;  // largest bytes first; empty if only their number is known
};

[[nodiscard]] Bytes bytes_requested(const Picture& picture);

// Adds the layouts of `more` to the pictures of the same buffers, and appends the other pictures. Skips a
// layout that a picture already has with the same name and offsets.
void merge(std::vector<Picture>& pictures, std::vector<Picture> more);

}  // namespace memo::planner
