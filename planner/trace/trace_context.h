// Gives the numbers in a trace's events their meaning.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "planner/trace/module_map.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// The tables that give the blocks of a trace their meaning: they turn ids into indices, and ticks into time.
struct TraceContext {
  ModuleMap modules;
  std::unordered_map<std::uint32_t, NameIndex> names;
  std::unordered_map<std::uint32_t, std::uint32_t> functions;
  std::unordered_map<std::uint32_t, StackIndex> stacks;
  std::uint64_t first_ticks = 0;
  std::uint64_t first_ns = 0;
  double ns_per_tick = 1.0;

  [[nodiscard]] std::uint64_t to_ns(std::uint64_t ticks) const;
  [[nodiscard]] NameIndex name(std::uint32_t id) const;
  [[nodiscard]] StackIndex stack(std::uint32_t id) const;
  // Returns what a frame of a stack stands for, which was taken at that moment.
  [[nodiscard]] Site frame(std::uint64_t word, std::uint64_t ticks);
};

}  // namespace memo::planner
