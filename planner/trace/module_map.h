// Turns return addresses into sites. The set of mapped files changes while a process runs, so the recorder
// writes the complete list each time, and an address is looked up in the list of its moment.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/trace/blocks.h"
#include "planner/trace/trace.h"

namespace memo::planner {

class ModuleMap {
 public:
  // Takes in a kModules block. Returns false where a record runs over the end of the block (the records before
  // it count).
  bool add_snapshot(const Block& block);

  // Prepares for resolve(). Call it once all snapshots are in.
  void finish();

  [[nodiscard]] Site resolve(std::uint64_t address, std::uint64_t ticks);
  [[nodiscard]] std::vector<Module> take_modules() { return std::move(modules_); }

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t bias;
    ModuleIndex module;
  };
  struct Snapshot {
    std::uint64_t ticks;
    std::vector<Range> ranges;                     // sorted by begin
    std::unordered_map<std::uint64_t, Site> seen;  // cache: programs have few sites and many allocations
  };

  ModuleIndex intern(Module module);
  static const Range* find(const Snapshot& snapshot, std::uint64_t address);
  [[nodiscard]] std::size_t snapshot_at(std::uint64_t ticks) const;
  [[nodiscard]] Site look_up(std::size_t first, std::uint64_t address) const;

  std::vector<Module> modules_;
  std::unordered_map<std::string, ModuleIndex> index_;
  std::vector<Snapshot> snapshots_;  // sorted by ticks
};

}  // namespace memo::planner
