// The loader of plans on arbitrary bytes: it refuses or accepts, never crashes, and what it accepts can be made ready.
// The checksum is put right first, or nothing would get past it.
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "runtime/loaded_plan.h"
#include "runtime/plan_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memo;
  if (size < sizeof(PlanHeader)) return 0;
  // As open_plan has it: memory of its own, which make_ready takes over.
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* bytes = static_cast<unsigned char*>(memory);
  std::memcpy(bytes, data, size);
  const std::uint64_t file_bytes = size;
  std::memcpy(bytes + offsetof(PlanHeader, file_bytes), &file_bytes, sizeof file_bytes);
  const std::uint64_t sum = plan_checksum(bytes + kPlanChecksumStart, size - kPlanChecksumStart);
  std::memcpy(bytes + offsetof(PlanHeader, checksum), &sum, sizeof sum);
  const runtime::PlanFile file{bytes, size};
  runtime::PlanFault why;
  if (!runtime::check_plan(file, &why)) {
    runtime::close_plan(file);
    return 0;
  }
  if (runtime::LoadedPlan* plan = runtime::make_ready(file, 2)) {
    runtime::resolve_sites(*plan);
    runtime::discard(plan);
  }
  return 0;
}
