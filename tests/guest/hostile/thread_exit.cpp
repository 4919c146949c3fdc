// Destructors that run at the end of a thread allocate and free, in every round of them: C++ thread_local
// objects, pthread keys (which may set each other anew), and a detached thread that ends after main has
// returned. They run after the allocator's own clean-up. Failure: a crash, or a deadlock at exit.

#include <pthread.h>

#include <string>
#include <vector>

#include "hostile.h"

namespace {

pthread_key_t first_key;
pthread_key_t second_key;
int rounds;

struct Farewell {
  std::vector<std::string> words;
  ~Farewell() {
    for (int i = 0; i < 50; ++i) words.push_back(std::string(static_cast<std::size_t>(100 + i), 'x'));
    std::vector<std::string> copy = words;
    free(malloc(1 << 20));
  }
};

thread_local Farewell farewell;

void allocate_again(void* value) {
  free(value);
  void* block = calloc(10, 10);
  EXPECT(block != nullptr);
  if (++rounds % 3 != 0) {
    pthread_setspecific(rounds % 2 != 0 ? second_key : first_key, block);
  } else {
    free(block);
  }
}

void* use_and_end(void*) {
  farewell.words.emplace_back("hello");
  pthread_setspecific(first_key, malloc(77));
  pthread_setspecific(second_key, ::operator new(78));
  return nullptr;
}

void* outlive_main(void*) {
  for (;;) {
    free(malloc(123));
    free(realloc(calloc(1, 50), 5000));
  }
}

}  // namespace

int main() {
  expect_right_allocator();
  EXPECT(pthread_key_create(&first_key, allocate_again) == 0);
  EXPECT(pthread_key_create(&second_key, allocate_again) == 0);
  for (int i = 0; i < 100; ++i) {
    pthread_t threads[4];
    for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, use_and_end, nullptr) == 0);
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
  }
  pthread_t survivor;
  EXPECT(pthread_create(&survivor, nullptr, outlive_main, nullptr) == 0);
  EXPECT(pthread_detach(survivor) == 0);
}
