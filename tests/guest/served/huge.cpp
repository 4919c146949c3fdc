// A pass with one block of 256 MiB, of which two bytes are touched: where address space or memory is scarce, a slab for it
// is not to be had, and a program that could do without MemoMalloc must be able to go on. Failure: a block that is
// missing or not its owner's.
#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;

void ordinary_pass() {
  const Pass pass;
  auto* block = static_cast<volatile char*>(malloc(kBytes));
  EXPECT(block != nullptr);
  block[0] = 7;
  block[kBytes - 1] = 7;
  EXPECT(block[0] + block[kBytes - 1] == 14);
  free(const_cast<char*>(block));
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (int pass = 0; pass < 5; ++pass) ordinary_pass();
}
