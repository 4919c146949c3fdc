// Blocks freed by another thread than the one that allocated them, while it runs and after it has ended, and
// threads that come and go by the hundred. Failure: a crash, a block that changed on its way, or memory that
// grows without end.

#include <pthread.h>

#include <atomic>

#include "hostile.h"

namespace {

constexpr int kThreads = 8;
constexpr int kBlocks = 20000;
std::atomic<void*> mailbox[kThreads][64];

std::size_t size_of(unsigned i) {
  return 16 + i * 37 % 5000;
}

// The block's first word tells its size, so that whoever gets it can check it.
void* make_block(unsigned i) {
  const std::size_t size = size_of(i);
  auto* block = static_cast<char*>(malloc(size));
  EXPECT(block != nullptr);
  memcpy(block, &size, sizeof size);
  fill(block + sizeof size, size - sizeof size, i);
  memcpy(block + sizeof size, &i, sizeof i);
  return block;
}

void check_and_free(void* block) {
  if (block == nullptr) return;
  std::size_t size;
  memcpy(&size, block, sizeof size);
  EXPECT(size >= 16 && size <= malloc_usable_size(block));
  free(block);
}

// Each thread posts into its neighbour's box and empties its own.
void* exchange(void* argument) {
  const auto self = reinterpret_cast<std::uintptr_t>(argument);
  const auto neighbour = (self + 1) % kThreads;
  for (unsigned i = 0; i < kBlocks; ++i) {
    check_and_free(mailbox[neighbour][i % 64].exchange(make_block(i)));
    check_and_free(mailbox[self][i * 7 % 64].exchange(nullptr));
  }
  return nullptr;
}

void during() {
  pthread_t threads[kThreads];
  for (std::uintptr_t i = 0; i < kThreads; ++i) {
    EXPECT(pthread_create(&threads[i], nullptr, exchange, reinterpret_cast<void*>(i)) == 0);
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  for (auto& box : mailbox) {
    for (auto& slot : box) check_and_free(slot.exchange(nullptr));
  }
}

void* leave_a_block(void* argument) {
  return make_block(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(argument)));
}

void after_the_end() {
  for (std::uintptr_t i = 0; i < 300; ++i) {
    pthread_t thread;
    void* block = nullptr;
    EXPECT(pthread_create(&thread, nullptr, leave_a_block, reinterpret_cast<void*>(i)) == 0);
    pthread_join(thread, &block);
    EXPECT(malloc_usable_size(block) >= size_of(static_cast<unsigned>(i)));
    block = realloc(block, 9000);
    check_and_free(block);
  }
}

}  // namespace

int main() {
  expect_right_allocator();
  during();
  after_the_end();
}
