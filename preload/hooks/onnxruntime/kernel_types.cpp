#include "preload/hooks/onnxruntime/kernel_types.h"

#include <cstring>

namespace memo::guest::ort {
namespace {

constexpr char kKernelType[] = "N11onnxruntime8OpKernelE";
constexpr unsigned kDeepest = 8;  // classes between a kernel and OpKernel
constexpr std::uint64_t kMostBases = 8;

struct Base {
  std::uintptr_t record;
  std::uint64_t place;  // in the object, above eight bits of flags
};

// The record of a class.
struct Record {
  std::uintptr_t kind;
  const char* name;
  std::uintptr_t base_or_counts;  // flags in the lower half, how many bases follow in the upper
  Base bases[kMostBases];
};

bool derives_from_kernel(const ElfObject& object, std::uintptr_t address, unsigned depth);

bool some_base_does(const ElfObject& object, const Record& record, unsigned depth) {
  const std::uint64_t count = record.base_or_counts >> 32;
  if (count > kMostBases || !object.closed_words().hold(record.bases, 2 * count)) return false;
  for (const Base* base = record.bases; base != record.bases + count; ++base) {
    if (base->place >> 8 == 0 && derives_from_kernel(object, base->record, depth)) return true;
  }
  return false;
}

bool derives_from_kernel(const ElfObject& object, std::uintptr_t address, unsigned depth) {
  const auto& record = *reinterpret_cast<const Record*>(address);
  if (depth > kDeepest || !object.closed_words().hold(&record, 3)) return false;
  if (!object.can_read(record.name, sizeof kKernelType)) return false;
  if (std::strncmp(record.name, kKernelType, sizeof kKernelType) == 0) return true;
  return derives_from_kernel(object, record.base_or_counts, depth + 1) ||
         some_base_does(object, record, depth + 1);
}

}  // namespace

bool is_kernel_type(const ElfObject& object, std::uintptr_t record) {
  return derives_from_kernel(object, record, 0);
}

}  // namespace memo::guest::ort
