#include "planner/plan/plan_tables.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

// Appends a table at the next multiple of 8 bytes.
template <typename T>
PlanTable append(std::vector<unsigned char>& file, const std::vector<T>& elements) {
  file.resize(runtime::round_up(file.size(), 8));
  const PlanTable table{.offset = file.size(), .count = elements.size()};
  const auto* bytes = reinterpret_cast<const unsigned char*>(elements.data());
  file.insert(file.end(), bytes, bytes + elements.size() * sizeof(T));
  return table;
}

PlanHeader append_tables(std::vector<unsigned char>& file, const PlanTables& tables) {
  PlanHeader header{};
  file.resize(sizeof header);
  std::copy(std::begin(kPlanMagic), std::end(kPlanMagic), header.magic);
  header.byte_order = kPlanByteOrder;
  header.version = kPlanVersion;
  header.large_start = tables.large_start;
  header.modules = append(file, tables.modules);
  header.sites = append(file, tables.sites);
  header.cells = append(file, tables.cells);
  header.variants = append(file, tables.variants);
  header.scopes = append(file, tables.scopes);
  header.slots = append(file, tables.slots);
  header.anchors = append(file, tables.anchors);
  header.loops = append(file, tables.loops);
  append(file, tables.formulas);
  header.strings = append(file, tables.strings.bytes());
  if (!tables.shapes.empty()) append(file, tables.shapes);
  header.file_bytes = file.size();
  return header;
}

}  // namespace

std::uint32_t PlanStrings::add(const std::string& text) {
  const auto [known, fresh] = offsets_.try_emplace(text, static_cast<std::uint32_t>(bytes_.size()));
  if (fresh) bytes_.insert(bytes_.end(), text.c_str(), text.c_str() + text.size() + 1);
  return known->second;
}

// The checksum counts all that comes after it, so it is worked out last.
std::vector<unsigned char> file_of(const PlanTables& tables) {
  std::vector<unsigned char> file;
  PlanHeader header = append_tables(file, tables);
  std::memcpy(file.data(), &header, sizeof header);
  header.checksum = plan_checksum(file.data() + kPlanChecksumStart, file.size() - kPlanChecksumStart);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace memo::planner
