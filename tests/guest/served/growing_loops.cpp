// Layouts that grow while several threads are in the loops of one plan, hand blocks of earlier iterations to each other, and ask for
// more in each pass; meanwhile the file of the plan is exchanged, cut, replaced by a folder and removed, the plan is loaded
// anew, and children are forked. Failure: a byte that changed, two blocks that share one, statistics that do not add up, a
// child that does not end well, or passes that are not served once the plan is there again.
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>

#include "looping.h"

using namespace served;

namespace {

constexpr int kThreads = 4;
constexpr int kExchanges = 60;
constexpr int kPatience = 20000;  // milliseconds
constexpr Iterations kIterations{.outer = 3, .inner = 4};

std::atomic<bool> g_over;

// Holds one block between threads: each puts in its own and frees what was there.
std::atomic<Block*> g_between;
constexpr std::size_t kRoom = 1 << 16;
Block g_blocks[kRoom];
std::atomic<std::size_t> g_next;

void exchange(const Block& block) {
  const std::size_t at = g_next.fetch_add(1);
  if (at >= kRoom) return check_and_free(block);
  g_blocks[at] = block;
  const Block* before = g_between.exchange(&g_blocks[at]);
  if (before != nullptr) check_and_free(*before);
}

bool hand_on(Held& held, const Iteration& at) {
  if (at.inner > 0) exchange(held.taken(kGathered));
  return true;
}

void* ask_for_ever_more(void* argument) {
  const auto first = static_cast<std::size_t>(reinterpret_cast<std::intptr_t>(argument));
  for (std::size_t pass = 0; !g_over.load(); ++pass)
    ordinary_pass(kIterations, hand_on, {.more = (first + pass * 7) % 150});
  return nullptr;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void put_in_place(const std::string& path, const std::string& bytes) {
  write(path + ".new", bytes);
  EXPECT(rename((path + ".new").c_str(), path.c_str()) == 0);
}

// Leaves the plan in another state with each round; the last of them is whole.
void exchange_the_file(const std::string& path, const std::string& whole, int round) {
  rmdir(path.c_str());
  switch (round % 5) {
    case 0:
      put_in_place(path, whole.substr(0, whole.size() * static_cast<std::size_t>(round % 7) / 7));
      break;
    case 1:
      unlink(path.c_str());
      break;
    case 2:
      write(path, whole);
      break;
    case 3:
      unlink(path.c_str());
      EXPECT(mkdir(path.c_str(), 0700) == 0);
      break;
    default:
      put_in_place(path, whole);
  }
  if (round % 3 == 0 && memo_plan_load != nullptr) memo_plan_load(path.c_str());
}

void live_in_a_child() {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    ordinary_pass(kIterations, goes_on, {.more = 150});
    ordinary_passes();
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void exchange_while_it_grows(const std::string& path, const std::string& whole) {
  for (int round = 0; round < kExchanges; ++round) {
    if (by_plan()) exchange_the_file(path, whole, round);
    if (round % 10 == 5) live_in_a_child();
    usleep(1000);
  }
  if (!by_plan()) return;
  exchange_the_file(path, whole, 4);
  for (int wait = 0; figure("plans_grown") == 0 && wait < kPatience; ++wait) usleep(1000);
  EXPECT(figure("plans_grown") > 0);
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_passes)) return 0;
  const std::string path = by_plan() ? getenv("MEMOMALLOC_PLAN") : "";
  const std::string whole = read(path);
  const Accounts accounts;
  pthread_t threads[kThreads];
  for (std::intptr_t at = 0; at < kThreads; ++at)
    EXPECT(pthread_create(&threads[at], nullptr, ask_for_ever_more, reinterpret_cast<void*>(at * 30)) == 0);
  exchange_while_it_grows(path, whole);
  g_over = true;
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  EXPECT(accounts.add_up());
  if (const Block* left = g_between.load(); left != nullptr) check_and_free(*left);
  EXPECT(!by_plan() || memo_plan_load(path.c_str()) == 0);
  for (int pass = 0; pass < 3; ++pass) ordinary_passes();
  const std::uint64_t served = figure("served");
  const std::uint64_t made = g_made.load();
  ordinary_passes();
  EXPECT(!by_plan() || figure("served") - served == g_made.load() - made);
}
