// A program without a build-id, which is linked so. Its call sites are known by its path, which the loader does not tell of an
// executable. Failure: its passes are not served.
#include "served.h"

using namespace served;

namespace {

void ordinary_pass() {
  constexpr std::size_t kBlocks = 30;
  const Pass pass;
  void* blocks[kBlocks];
  for (std::size_t at = 0; at < kBlocks; ++at) blocks[at] = malloc(100 + 300 * at);
  for (void* block : blocks) free(block);
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  constexpr int kPasses = 50;
  for (int pass = 0; pass < kPasses; ++pass) ordinary_pass();
  return 0;
}
