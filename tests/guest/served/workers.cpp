// Threads of a pool work inside somebody's passes: scratch of their own for each piece, results that the owner of the pass
// frees, inputs of the owner's that they free. Which worker gets which piece varies. Then the worst: pools that come and go
// in the middle of a pass, forks while workers hold lanes, owners side by side with one pool, and workers that never give
// back what they made. Failure: a block that changed in anybody's hands, another sum than one thread alone finds, a child
// that hangs, or a plan that in the ordinary passes serves less than 95 of a hundred allocations of workers.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kPieces = 16;

// Workers take the pieces of a region one after the other; whoever asked waits until all are done.
class Pool {
 public:
  explicit Pool(std::size_t workers) {
    for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard hold(mutex_);
      closed_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void for_each_piece(const std::function<void(std::size_t)>& body) {
    std::unique_lock hold(mutex_);
    body_ = &body;
    next_ = done_ = 0;
    wake_.notify_all();
    ready_.wait(hold, [this] { return done_ == kPieces; });
    body_ = nullptr;
  }

 private:
  void work() {
    std::unique_lock hold(mutex_);
    for (;;) {
      wake_.wait(hold, [this] { return closed_ || (body_ != nullptr && next_ < kPieces); });
      if (closed_) return;
      const std::size_t piece = next_++;
      const auto& body = *body_;
      hold.unlock();
      body(piece);
      hold.lock();
      if (++done_ == kPieces) ready_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, ready_;
  const std::function<void(std::size_t)>* body_ = nullptr;
  std::size_t next_ = kPieces;
  std::size_t done_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

std::size_t input_bytes(std::size_t piece) {
  return 3000 + 100 * piece;
}
std::size_t result_bytes(std::size_t piece) {
  return 64 + 8 * piece;
}

[[gnu::noinline]] char* make_input(std::size_t piece) {
  auto* input = static_cast<char*>(malloc(input_bytes(piece)));
  fill(input, input_bytes(piece), static_cast<unsigned>(piece));
  return input;
}

// The input is freed by the worker, the scratch is its own, the result is the owner's to free.
[[gnu::noinline]] char* work_on(std::size_t piece, char* input) {
  EXPECT(is_filled(input, input_bytes(piece), static_cast<unsigned>(piece)));
  std::vector<std::uint64_t> unfolded(6000 + 8 * piece);
  for (std::size_t i = 0; i < unfolded.size(); ++i) unfolded[i] = i * (piece + 1);
  free(input);
  std::vector<std::uint64_t> sums(40);
  for (std::size_t i = 0; i < unfolded.size(); ++i) sums[i % sums.size()] += unfolded[i];
  auto* result = static_cast<char*>(malloc(result_bytes(piece)));
  std::uint64_t sum = 0;
  for (const std::uint64_t one : sums) sum = sum * 31 + one;
  memcpy(result, &sum, sizeof sum);
  fill(result + sizeof sum, result_bytes(piece) - sizeof sum, static_cast<unsigned>(piece));
  return result;
}

// A shorter region of another kind.
[[gnu::noinline]] void smooth(std::size_t piece, std::uint64_t& sum) {
  void* scratch = nullptr;
  EXPECT(posix_memalign(&scratch, 64, 100000) == 0);
  fill(scratch, 100000, static_cast<unsigned>(piece));
  sum += static_cast<unsigned char*>(scratch)[99999 - piece];
  free(scratch);
}

std::uint64_t take_result(std::size_t piece, char* result) {
  std::uint64_t sum;
  memcpy(&sum, result, sizeof sum);
  EXPECT(is_filled(result + sizeof sum, result_bytes(piece) - sizeof sum, static_cast<unsigned>(piece)));
  free(result);
  return sum;
}

using ForEachPiece = std::function<void(const std::function<void(std::size_t)>&)>;

std::uint64_t run_pass(
    const ForEachPiece& for_each_piece, const std::function<void()>& in_the_middle = [] {}) {
  const Pass pass;
  char* inputs[kPieces];
  char* results[kPieces];
  std::uint64_t smoothed[kPieces] = {};
  for (std::size_t piece = 0; piece < kPieces; ++piece) inputs[piece] = make_input(piece);
  for_each_piece([&](std::size_t piece) { results[piece] = work_on(piece, inputs[piece]); });
  in_the_middle();
  for_each_piece([&](std::size_t piece) { smooth(piece, smoothed[piece]); });
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < kPieces; ++piece)
    sum = sum * 31 + take_result(piece, results[piece]) + smoothed[piece];
  return sum;
}

std::uint64_t sum_of_one_thread() {
  static const std::uint64_t kSum = run_pass([](const std::function<void(std::size_t)>& body) {
    for (std::size_t piece = 0; piece < kPieces; ++piece) body(piece);
  });
  return kSum;
}

void expect_right(std::uint64_t sum) {
  EXPECT(sum == sum_of_one_thread());
}

void pass_with(
    Pool& pool, const std::function<void()>& in_the_middle = [] {}) {
  expect_right(run_pass([&](const auto& body) { pool.for_each_piece(body); }, in_the_middle));
}

std::size_t workers_wanted() {
  const char* wanted = getenv("POOL_WORKERS");
  return wanted == nullptr ? 2 : strtoul(wanted, nullptr, 10);
}

void ordinary_passes() {
  Pool pool(workers_wanted());
  for (int pass = 0; pass < 20; ++pass) pass_with(pool);
}

// Returns true if the plan served the workers of 200 passes. A worker counts a pass when its next one begins.
bool workers_are_served(Pool& pool) {
  const std::uint64_t served = figure("worker_served");
  const std::uint64_t missed = figure("worker_fallback");
  const std::uint64_t passes = figure("passes");
  for (int pass = 0; pass < 200; ++pass) pass_with(pool);
  if (!by_plan()) return true;
  const std::uint64_t more = figure("worker_served") - served;
  const std::uint64_t less = figure("worker_fallback") - missed;
  EXPECT(figure("passes") - passes == 200);
  EXPECT(more + less > 190 * 4 * kPieces);
  return more * 100 >= (more + less) * 95;
}

// The first passes are behind it. A lane for which there was no memory is asked for again a second later, so one time is not enough
// to tell that the plan does not serve.
void expect_workers_served() {
  Pool pool(workers_wanted());
  for (int pass = 0; pass < 10; ++pass) pass_with(pool);
  for (int times = 0; times < 5; ++times) {
    if (workers_are_served(pool)) return;
    usleep(300'000);
  }
  EXPECT(!"the plan serves the workers");
}

void pools_come_and_go() {
  for (std::size_t round = 0; round < 60; ++round) {
    Pool pool(1 + round % 4);
    pass_with(pool, [] {
      Pool inner(2);
      inner.for_each_piece([](std::size_t piece) { take_result(piece, work_on(piece, make_input(piece))); });
    });
  }
}

void owners_side_by_side() {
  std::vector<std::thread> owners;
  for (int owner = 0; owner < 3; ++owner) {
    owners.emplace_back([] {
      Pool pool(2);
      for (int pass = 0; pass < 40; ++pass) pass_with(pool);
    });
  }
  for (std::thread& owner : owners) owner.join();
}

// The child has none of the workers: their lanes are its to use.
void fork_in_the_middle(Pool& pool) {
  pass_with(pool, [] {
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
      if (memo_pass_end != nullptr) memo_pass_end();
      pools_come_and_go();
      _exit(0);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  });
}

// Of every piece something stays with the worker for ever: it pins its place, no more.
void never_freed(Pool& pool) {
  static std::vector<char*> kept[kPieces];
  for (int pass = 0; pass < 50; ++pass) {
    pass_with(pool, [&] {
      pool.for_each_piece(
          [](std::size_t piece) { kept[piece].push_back(work_on(piece, make_input(piece))); });
    });
  }
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    for (char* result : kept[piece])
      EXPECT(is_filled(result + 8, result_bytes(piece) - 8, static_cast<unsigned>(piece)));
  }
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_passes)) return 0;
  expect_workers_served();
  pools_come_and_go();
  owners_side_by_side();
  Pool pool(workers_wanted());
  for (int round = 0; round < 3; ++round) fork_in_the_middle(pool);
  never_freed(pool);
  for (int pass = 0; pass < 10; ++pass) pass_with(pool);
  EXPECT(figure("double_free") == 0 && figure("bad_free") == 0);
}
