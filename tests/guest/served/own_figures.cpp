// Compares what the statistics say of memory with what the kernel says of the process: a heap that holds half a GiB that nobody
// touched has no more memory than the process, and the tables of the plan in force are counted.
#include <stdio.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kUntouched = std::size_t{64} << 20;
constexpr int kBlocks = 8;
constexpr std::size_t kSteps = 300;

void ordinary_pass() {
  const Pass pass;
  void* blocks[kSteps];
  for (std::size_t step = 0; step < kSteps; ++step) blocks[step] = malloc(100 + 200 * step);
  for (void* block : blocks) free(block);
}

std::size_t resident_bytes() {
  unsigned long mapped = 0;
  unsigned long resident = 0;
  FILE* file = fopen("/proc/self/statm", "re");
  EXPECT(file != nullptr && fscanf(file, "%lu %lu", &mapped, &resident) == 2);
  fclose(file);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  void* untouched[kBlocks];
  for (void*& block : untouched) block = malloc(kUntouched);
  const std::uint64_t of_heap = figure("resident");
  EXPECT(of_heap <= resident_bytes() + (std::size_t{1} << 20));
  if (by_plan()) EXPECT(figure("plans") > 0);
  for (void* block : untouched) free(block);
  return 0;
}
