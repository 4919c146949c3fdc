// Plans that are damaged in every single byte, one after the other, loaded into a process that is being served. The
// checksum is put right each time, so that nothing but the loader's own checks and the arena's stands between the damage
// and the host. Failure: a crash, a block that changed or does not fit, or an undamaged plan that does not serve
// afterwards.
#include <stddef.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/formats/plan_format.h"
#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 10;

std::size_t size_of(std::size_t i) {
  return 24 + i * 90 + (i % 3 == 2 ? 30000 : 0);
}

[[gnu::noinline]] void* make_block(std::size_t i) {
  void* block = malloc(size_of(i));
  EXPECT(block != nullptr && malloc_usable_size(block) >= size_of(i));
  fill(block, size_of(i), static_cast<unsigned>(i));
  return block;
}

void ordinary_pass() {
  const Pass pass;
  void* blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) {
    open_scope(i % 2 == 0 ? "convolve" : "add");
    blocks[i] = make_block(i);
    close_scope();
  }
  for (std::size_t i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], size_of(i), static_cast<unsigned>(i)));
    free(blocks[i]);
  }
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void seal(std::string& plan) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(plan.data()) + memo::kPlanChecksumStart;
  const std::uint64_t sum = memo::plan_checksum(bytes, plan.size() - memo::kPlanChecksumStart);
  memcpy(plan.data() + offsetof(memo::PlanHeader, checksum), &sum, sizeof sum);
}

int load(const std::string& plan, const std::string& path) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << plan;
  return memo_plan_load(path.c_str());
}

void damage_every_byte(const std::string& whole, const std::string& path) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int damage : {0x01, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ damage);
      if (at >= memo::kPlanChecksumStart) seal(damaged);
      load(damaged, path);
      ordinary_pass();
    }
  }
}

void cut_at_every_length(const std::string& whole, const std::string& path) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT(load(whole.substr(0, length), path) != 0);
    ordinary_pass();
  }
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass) || !by_plan()) return 0;
  const std::string original = getenv("MEMOMALLOC_PLAN");
  const std::string path = original + ".damaged";
  const std::string whole = read(original);
  damage_every_byte(whole, path);
  EXPECT(figure("plans_loaded") > 10 && figure("plans_refused") > 10);
  EXPECT(load(whole, path) == 0);
  cut_at_every_length(whole, path);
  const ServedSince served;
  ordinary_pass();
  EXPECT(served.are(kBlocks));
}
