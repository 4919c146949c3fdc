// pool: reads lines with a number of passes, runs these, and prints a checksum for each line. The thread that reads runs the passes, and
// two threads of a pool do the work, as those of TensorFlow do. They start after the first pass, as an engine's threads may.
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kThreads = 2;
constexpr std::size_t kBlocks = 40;  // of each thread in a pass

// Keeps one block over the next. Folds the bytes into the sum, so that two blocks that share bytes change it.
[[gnu::noinline]] std::uint64_t work(std::uint64_t sum) {
  unsigned char* before = nullptr;
  for (std::size_t number = 1; number <= kBlocks; ++number) {
    const std::size_t size = 400 * number;
    auto* block = static_cast<unsigned char*>(std::malloc(size));
    for (std::size_t at = 0; at < size; at += 64) block[at] = static_cast<unsigned char>(at + sum);
    for (std::size_t at = 0; at < size; at += 64) sum = sum * 31 + block[at];
    std::free(before);
    before = block;
  }
  std::free(before);
  return sum;
}

// Each thread works once for each pass.
class Pool {
 public:
  Pool() {
    for (std::size_t i = 0; i < kThreads; ++i) threads_[i] = std::thread([this, i] { work_for_passes(i); });
  }
  ~Pool() {
    next_pass(true);
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::uint64_t run(std::uint64_t sum) {
    for (std::size_t i = 0; i < kThreads; ++i) sums_[i] = sum + i;
    next_pass(false);
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [this] { return done_ == kThreads; });
    return sums_[0] * 31 + sums_[1];
  }

 private:
  void next_pass(bool last) {
    const std::lock_guard hold(mutex_);
    done_ = 0;
    closed_ = last;
    ++pass_;
    changed_.notify_all();
  }

  void work_for_passes(std::size_t which) {
    for (unsigned pass = 1;; ++pass) {
      {
        std::unique_lock hold(mutex_);
        changed_.wait(hold, [&] { return pass_ == pass; });
        if (closed_) return;
      }
      sums_[which] = work(sums_[which]);
      const std::lock_guard hold(mutex_);
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::uint64_t, kThreads> sums_{};
  unsigned pass_ = 0;
  std::size_t done_ = 0;
  bool closed_ = false;
  std::array<std::thread, kThreads> threads_;
};

// Begins a pass, and ends it with the object.
struct Pass {
  Pass() {
    if (memo_pass_begin != nullptr) memo_pass_begin(0);
  }
  ~Pass() {
    if (memo_pass_end != nullptr) memo_pass_end();
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
};

}  // namespace

int main() {
  std::unique_ptr<Pool> pool;
  unsigned passes = 0;
  while (std::scanf("%u", &passes) == 1) {
    std::uint64_t sum = 1;
    for (unsigned pass = 0; pass < passes; ++pass) {
      const Pass marked;
      if (pool != nullptr) sum = pool->run(work(sum));
      if (pool == nullptr) pool = std::make_unique<Pool>();
    }
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    std::fflush(stdout);
  }
  return 0;
}
