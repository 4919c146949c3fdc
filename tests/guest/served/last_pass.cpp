// Asks the library for what the last pass of a thread took. Failure: figures of another pass or thread, blocks that are missing,
// or an answer where there is no pass to tell of.
#include <pthread.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBytes = 40'000;
constexpr unsigned kBlocks = 10;
memo_pass g_pass;

bool is_told() {
  return memo_last_pass != nullptr && memo_last_pass(&g_pass) == 1;
}

[[gnu::noinline]] void* unplanned(std::size_t bytes) {
  return malloc(bytes);
}

void run_pass(unsigned unplanned_blocks) {
  const Pass pass;
  void* blocks[kBlocks];
  for (void*& block : blocks) block = malloc(kBytes);
  for (void* block : blocks) free(block);
  for (unsigned number = 0; number < unplanned_blocks; ++number) free(unplanned(500));
}

void ordinary_pass() {
  run_pass(0);
}

void expect_last_pass(std::uint64_t heap_blocks) {
  EXPECT(is_told());
  EXPECT(g_pass.is_counted == 1);
  EXPECT(g_pass.served_blocks == kBlocks && g_pass.served_bytes == kBlocks * kBytes);
  EXPECT(g_pass.heap_blocks == heap_blocks && g_pass.heap_bytes == 500 * heap_blocks);
  EXPECT(g_pass.at_most_bytes >= g_pass.served_bytes + g_pass.heap_bytes);
  EXPECT(g_pass.at_most_bytes < 2 * kBlocks * kBytes);
}

void* of_another_thread(void*) {
  EXPECT(!is_told());
  run_pass(3);
  expect_last_pass(3);
  return nullptr;
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  if (!by_plan()) return 0;
  run_pass(2);
  expect_last_pass(2);
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, of_another_thread, nullptr) == 0);
  pthread_join(thread, nullptr);
  expect_last_pass(2);
  const Pass pass;
  EXPECT(!is_told());
  EXPECT(memo_last_pass(nullptr) == 0);
  return 0;
}
