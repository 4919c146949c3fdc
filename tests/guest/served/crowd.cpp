// Eight threads run passes at once, time after time, on fewer lanes than that, while each posts some of its blocks to its
// neighbour to be freed. Two kinds of pass are mixed, as of two models in one process. Failure: a block that changed in
// anybody's hands. The statistics must account for every allocation: served, or sent to the heap for want of a lane.
#include <pthread.h>

#include <atomic>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kThreads = 8;
constexpr int kPasses = 120;
constexpr std::size_t kBlocks = 40;
std::atomic<char*> mailbox[kThreads];

std::size_t size_of(std::uint64_t model, std::size_t i) {
  return 16 + i * 61 % 900 + (i % 10 == model ? 30000 * model : 0);
}

// The first word says how large it is and the second what it is filled with.
[[gnu::noinline]] char* make_block(std::uint64_t model, std::size_t i) {
  const std::size_t size = size_of(model, i);
  auto* block = static_cast<char*>(malloc(size));
  EXPECT(block != nullptr);
  memcpy(block, &size, sizeof size);
  fill(block + sizeof size, size - sizeof size, static_cast<unsigned>(size));
  return block;
}

void check_and_free(char* block) {
  if (block == nullptr) return;
  std::size_t size;
  memcpy(&size, block, sizeof size);
  EXPECT(size <= malloc_usable_size(block));
  EXPECT(is_filled(block + sizeof size, size - sizeof size, static_cast<unsigned>(size)));
  free(block);
}

template <typename Drop>
void run_pass(std::uint64_t model, Drop drop) {
  const Pass pass(model);
  char* blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) blocks[i] = make_block(model, i);
  for (char* block : blocks) drop(block);
}

void ordinary_passes() {
  run_pass(1, check_and_free);
  run_pass(2, check_and_free);
}

void* run_passes(void* argument) {
  const auto self = reinterpret_cast<std::uintptr_t>(argument);
  for (std::uintptr_t round = 0; round < kPasses; ++round) {
    std::size_t dropped = 0;
    run_pass(1 + (self + round) % 2, [&](char* block) {
      const bool post = dropped++ % 8 == 0;
      check_and_free(post ? mailbox[(self + 1) % kThreads].exchange(block) : block);
    });
  }
  return nullptr;
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_passes)) return 0;
  pthread_t threads[kThreads];
  for (std::uintptr_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], nullptr, run_passes, reinterpret_cast<void*>(i)) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  for (std::atomic<char*>& box : mailbox) check_and_free(box.exchange(nullptr));
}
