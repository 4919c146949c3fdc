#include "planner/trace/module_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace memo::planner {
namespace {

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

bool ModuleMap::add_snapshot(const Block& block) {
  Snapshot snapshot{block.header.ticks, {}, {}};
  std::string_view rest = block.payload;
  bool whole = true;
  while (!rest.empty()) {
    trace::ModuleRecord record;
    whole = rest.size() >= sizeof record;
    if (!whole) break;
    std::memcpy(&record, rest.data(), sizeof record);
    rest.remove_prefix(sizeof record);
    const std::size_t text = std::size_t{record.build_id_bytes} + record.path_bytes;
    whole = trace::padded(text) <= rest.size();
    if (!whole) break;
    const ModuleIndex module = intern({std::string(rest.substr(record.build_id_bytes, record.path_bytes)),
                                       hexadecimal(rest.substr(0, record.build_id_bytes))});
    rest.remove_prefix(trace::padded(text));
    snapshot.ranges.push_back({record.begin, record.end, record.bias, module});
  }
  std::sort(snapshot.ranges.begin(), snapshot.ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  snapshots_.push_back(std::move(snapshot));
  return whole;
}

void ModuleMap::finish() {
  std::stable_sort(snapshots_.begin(), snapshots_.end(),
                   [](const Snapshot& a, const Snapshot& b) { return a.ticks < b.ticks; });
}

ModuleIndex ModuleMap::intern(Module module) {
  const auto [at, fresh] =
      index_.try_emplace(module.path + '\n' + module.build_id, static_cast<ModuleIndex>(modules_.size()));
  if (fresh) modules_.push_back(std::move(module));
  return at->second;
}

const ModuleMap::Range* ModuleMap::find(const Snapshot& snapshot, std::uint64_t address) {
  auto after = std::upper_bound(snapshot.ranges.begin(), snapshot.ranges.end(), address,
                                [](std::uint64_t value, const Range& range) { return value < range.begin; });
  if (after == snapshot.ranges.begin()) return nullptr;
  const Range& range = *std::prev(after);
  return address < range.end ? &range : nullptr;
}

std::size_t ModuleMap::snapshot_at(std::uint64_t ticks) const {
  auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), ticks,
                                [](std::uint64_t value, const Snapshot& one) { return value < one.ticks; });
  const auto index = static_cast<std::size_t>(after - snapshots_.begin());
  return index == 0 ? 0 : index - 1;
}

// Returns the site of an address. A module that was loaded after this snapshot is in the next one.
Site ModuleMap::look_up(std::size_t first, std::uint64_t address) const {
  for (std::size_t i = first; i < snapshots_.size(); ++i) {
    if (const Range* range = find(snapshots_[i], address)) return {range->module, address - range->bias};
  }
  return {kNone, address};
}

Site ModuleMap::resolve(std::uint64_t address, std::uint64_t ticks) {
  if (snapshots_.empty()) return {kNone, address};
  const std::size_t first = snapshot_at(ticks);
  const auto [at, fresh] = snapshots_[first].seen.try_emplace(address);
  if (fresh) at->second = look_up(first, address);
  return at->second;
}

}  // namespace memo::planner
