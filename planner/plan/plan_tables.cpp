#include "planner/plan/plan_tables.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

// Appends a table at the next multiple of 8 bytes, and says in the header where it lies.
template <typename Element>
void append(std::vector<unsigned char>& file, PlanHeader& header, const std::vector<Element>& elements) {
  file.resize(runtime::round_up(file.size(), 8));
  header.table<Element>() = {.offset = file.size(), .count = elements.size()};
  const auto* bytes = reinterpret_cast<const unsigned char*>(elements.data());
  file.insert(file.end(), bytes, bytes + elements.size() * sizeof(Element));
}

PlanHeader append_tables(std::vector<unsigned char>& file, const FileTables& tables) {
  PlanHeader header{};
  file.resize(sizeof header);
  std::copy(std::begin(kPlanMagic), std::end(kPlanMagic), header.magic);
  header.byte_order = kPlanByteOrder;
  header.version = kPlanVersion;
  header.large_start = tables.large_start;
  append(file, header, tables.modules);
  append(file, header, tables.sites);
  append(file, header, tables.cells);
  append(file, header, tables.variants);
  append(file, header, tables.scopes);
  append(file, header, tables.slots);
  append(file, header, tables.anchors);
  append(file, header, tables.loops);
  append(file, header, tables.formulas);
  append(file, header, tables.shapes);
  append(file, header, tables.strings.bytes());
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
std::vector<unsigned char> file_of(const FileTables& tables) {
  std::vector<unsigned char> file;
  PlanHeader header = append_tables(file, tables);
  std::memcpy(file.data(), &header, sizeof header);
  header.checksum = plan_checksum(file.data() + kPlanChecksumStart, file.size() - kPlanChecksumStart);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace memo::planner
