// The loader of plans on arbitrary bytes, and the arena on whatever it accepts. The checksum is put right first, or nothing
// would get past it. A plan that is accepted is served from: passes that ask for what it foresees, and for a little more,
// and for what it would have at a parameter beyond its profile or where all is larger, so that it grows, while an
// independent map of all live blocks holds every address against the slab's bounds and against each other, and each block
// is written from its first byte to its last. The slab's neighbours fault, and the address sanitizer guards the tables of the plan
// (runtime/platform/memory_annotations.h), so that a read or a write outside of either is seen.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "runtime/pass/arena.h"
#include "runtime/plan/formulas.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/region.h"

namespace memo::runtime {
namespace {

constexpr std::uint64_t kHighest = std::uint64_t{1}
                                   << 24;        // of a plan that is served from: memory is populated
constexpr std::uint32_t kMostSlots = 300;        // of a variant, in one pass
constexpr std::uint64_t kMostWritten = 1 << 14;  // of a block, from either end
constexpr std::uint64_t kRegion = std::uint64_t{1}
                                  << 30;  // for all slabs: the sanitizer's shadow of a block is present

std::string sealed(const std::uint8_t* data, std::size_t size) {
  std::string plan(reinterpret_cast<const char*>(data), size);
  const std::uint64_t file_bytes = size;
  std::memcpy(plan.data() + offsetof(PlanHeader, file_bytes), &file_bytes, sizeof file_bytes);
  const auto* summed = reinterpret_cast<const unsigned char*>(plan.data()) + kPlanChecksumStart;
  const std::uint64_t sum = plan_checksum(summed, size - kPlanChecksumStart);
  std::memcpy(plan.data() + offsetof(PlanHeader, checksum), &sum, sizeof sum);
  return plan;
}

[[noreturn]] void fail(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

// Every live block, and the bounds of the slab they must lie in.
class Oracle {
 public:
  void born(char* block, std::size_t size) {
    const Lane& lane = *t_self.lane;
    const char* slab = g_region.at(lane.first_granule);
    const std::uint64_t height = lane.plan.load()->lane_bytes;
    const std::size_t capacity = usable_size(block);
    if (capacity < size) fail("a block that is too small");
    if (block < slab || block + capacity > slab + height) fail("a block outside of the slab");
    const auto next = live_.lower_bound(block);
    if (next != live_.end() && block + capacity > next->first) fail("a byte handed out twice");
    if (next != live_.begin() && std::prev(next)->first + std::prev(next)->second > block)
      fail("a byte handed out twice");
    live_.emplace(block, capacity);
    const std::size_t written = capacity < kMostWritten ? capacity : kMostWritten;
    std::memset(block, 0x5a, written);
    std::memset(block + capacity - written, 0x5a, written);
  }

  // The block that lies lowest or highest.
  void free_one(bool lowest) {
    if (live_.empty()) return;
    const auto block = lowest ? live_.begin() : std::prev(live_.end());
    char* begin = block->first;
    live_.erase(block);
    if (!release(begin)) fail("a block that the arena does not know");
  }
  void free_all() {
    while (!live_.empty()) free_one(true);
  }

 private:
  std::map<char*, std::size_t> live_;
};

// A plan may grow to any size that there are addresses for.
void limit_region() {
  if (!reserve_region(kRegion)) fail("no addresses for a slab");
  g_region.chunks = std::min(g_region.chunks, kRegion / kChunkBytes);
}

// Returns where a pass that stands after a loop goes round again, in the innermost or in the outermost that ends there.
std::uint32_t again_from(const PlanFile& file, const PlanVariant& variant, std::uint32_t index, bool inner) {
  std::uint32_t again = index;
  for (const PlanLoop& loop : file.loops())
    if (&file.variants()[loop.variant] == &variant && loop.end_slot == index && (inner || again == index))
      again = loop.first_slot;
  return again;
}

// Returns the slot's size so many steps beyond the profile.
std::uint64_t size_at(const PlanSlot& slot, const PlanFormula* formula, std::uint64_t t) {
  return formula != nullptr && is_line(*formula) ? size_for(*formula, {.p = 0, .q = 0, .t = t}) : slot.size;
}

// The requests of a pass: the plan's own sizes at the parameter t, so many quarters of them more, and `more` bytes.
struct Shape {
  std::uint64_t t;
  std::uint64_t quarters_more;
  std::uint64_t more;
};

// The plan's own allocations in this shape, with every `stride`-th freed late.
void run_pass(const PlanFile& file, const PlanVariant& variant, const Shape& shape, std::uint32_t stride,
              Oracle& oracle) {
  pass_begin(variant.pass_key, __builtin_frame_address(0));
  Formulas formulas{};
  formulas.all = formulas_of(file, static_cast<std::uint32_t>(&variant - file.variants().data()));
  std::uint32_t scope = 0;
  std::uint32_t steps = 0;
  for (std::uint32_t index = 0; index < variant.slot_count && steps < kMostSlots; ++index, ++steps) {
    if (steps % stride == 1) index = again_from(file, variant, index, steps % 3 != 0);
    const PlanSlot& slot = file.slots()[variant.first_slot + index];
    while (scope < variant.scope_count && file.scopes()[variant.first_scope + scope].first_slot <= index) {
      scope_begin(file.scopes()[variant.first_scope + scope++].name_hash);
    }
    const std::uint64_t planned = size_at(slot, formula_at(formulas, index), shape.t);
    const std::size_t size = planned + planned / 4 * shape.quarters_more + shape.more;
    void* block = allocate_aligned(size, slot.alignment, file.sites()[slot.site].offset);
    if (block != nullptr) oracle.born(static_cast<char*>(block), size);
    if (index % stride != 0) oracle.free_one(index % 2 == 0);
    if (index % 5 == 4) scope_end();
  }
  pass_end();
}

void serve_from(const PlanFile& file, const char* path) {
  if (!serve_plan(path)) return;
  Oracle oracle;
  std::uint32_t stride = 2;
  for (const PlanVariant& variant : file.variants()) {
    for (const std::uint64_t more : {0u, 1u, 64u}) run_pass(file, variant, {0, 0, more}, ++stride, oracle);
    for (const std::uint64_t t : {3u, 3u, 1u, 100u}) run_pass(file, variant, {t, 0, 0}, ++stride, oracle);
    for (const std::uint64_t quarters : {1u, 1u, 3u, 0u, 3u})
      run_pass(file, variant, {0, quarters, 64}, ++stride, oracle);
    if (stride > 36) break;
  }
  oracle.free_all();
}

std::uint64_t height_of(const PlanFile& file) {
  std::uint64_t height = 0;
  for (const PlanVariant& variant : file.variants())
    height = height < variant.height ? variant.height : height;
  return height;
}

void feed(const std::string& plan) {
  static const int kFile = memfd_create("plan", MFD_CLOEXEC);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  if (ftruncate(kFile, 0) != 0 ||
      pwrite(kFile, plan.data(), plan.size(), 0) != static_cast<ssize_t>(plan.size()))
    std::abort();
  PlanFile file{};
  PlanFault why;
  if (!open_plan(kPath.c_str(), &file, &why)) return;
  if (height_of(file) <= kHighest) serve_from(file, kPath.c_str());
  close_plan(file);
}

}  // namespace
}  // namespace memo::runtime

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  memo::runtime::set_notice_sink([](const char*) {});
  memo::runtime::limit_region();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < sizeof(memo::PlanHeader)) return 0;
  memo::runtime::feed(memo::runtime::sealed(data, size));
  return 0;
}
