// Runs passes on a thread of each processor, and asks the kernel on which node of the machine's memory the pages of their
// blocks lie. The threads change over to another node, and idle memory goes back, in between.
//
//   nodes record      makes ordinary passes and nothing else, for a profile
//   nodes             prints one JSON object for each phase, and exits with 1 where the kernel does not say
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <barrier>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSizes[] = {5 << 20, 1 << 20, 300'000, 40'000, 4 << 20, 9'000};
constexpr int kSmall = 64;
constexpr std::size_t kSmallBytes = 2'000;

struct Block {
  char* begin;
  std::size_t bytes;
};

// Makes the blocks of a pass, each from the same call site every time, and touches all their pages.
[[gnu::noinline]] std::vector<Block> make_blocks() {
  std::vector<Block> blocks;
  blocks.reserve(std::size(kSizes) + kSmall);
  for (const std::size_t bytes : kSizes) blocks.push_back({static_cast<char*>(std::malloc(bytes)), bytes});
  for (int small = 0; small < kSmall; ++small)
    blocks.push_back({static_cast<char*>(std::malloc(kSmallBytes)), kSmallBytes});
  for (const Block& block : blocks) std::memset(block.begin, 1, block.bytes);
  return blocks;
}

void free_blocks(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) std::free(block.begin);
}

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

void run_ordinary_pass() {
  const Pass pass;
  free_blocks(make_blocks());
}

struct Pages {
  long here = 0;
  long elsewhere = 0;
};

[[noreturn]] void give_up(const char* what, int error) {
  std::printf("%s: %s\n", what, std::strerror(error));
  std::exit(1);
}

// Returns the node that the page lies on. Touches it and asks again where the kernel is just moving it.
int node_of(char* page) {
  constexpr int kMostTries = 1000;
  int lies_on = -ENOENT;
  for (int tried = 0; tried < kMostTries && lies_on < 0; ++tried) {
    static_cast<void>(*static_cast<volatile char*>(page));
    void* asked = page;
    if (syscall(SYS_move_pages, 0, 1UL, &asked, nullptr, &lies_on, 0) != 0) give_up("move_pages", errno);
  }
  if (lies_on < 0) give_up("no node of a page", -lies_on);
  return lies_on;
}

// Asks the kernel for the node of each page of the blocks, and compares it with that of the calling thread.
Pages look_at_pages(const std::vector<Block>& blocks) {
  unsigned processor = 0;
  unsigned node = 0;
  if (getcpu(&processor, &node) != 0) give_up("getcpu", errno);
  Pages pages;
  for (const Block& block : blocks) {
    char* first = block.begin - reinterpret_cast<std::uintptr_t>(block.begin) % kPage;
    for (char* page = first; page < block.begin + block.bytes; page += kPage)
      ++(node_of(page) == static_cast<int>(node) ? pages.here : pages.elsewhere);
  }
  return pages;
}

void pin_to(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  if (sched_setaffinity(0, sizeof only, &only) != 0) give_up("sched_setaffinity", errno);
}

// Half of the processors on: those of another node, where the nodes have as many each.
enum Where { kAtHome, kOnTheOtherNode };

struct Phase {
  const char* name;
  Where where;
  bool idle_memory_goes_first;
};
constexpr Phase kPhases[] = {
    {"first passes", kAtHome, false},
    {"the same again", kAtHome, false},
    {"threads changed", kOnTheOtherNode, false},
    {"idle went back", kOnTheOtherNode, true},
    {"changed, and went", kAtHome, true},
};

// The program runs one phase after the other: all threads are in their passes at once while they look.
class Crowd {
 public:
  explicit Crowd(int processors) : together_(processors + 1), found_(static_cast<std::size_t>(processors)) {
    for (int processor = 0; processor < processors; ++processor)
      threads_.emplace_back([this, processor] { work(processor); });
  }
  ~Crowd() {
    for (std::thread& thread : threads_) thread.join();
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  Pages run_phase() {
    together_.arrive_and_wait();  // begins
    together_.arrive_and_wait();  // all are in their passes
    together_.arrive_and_wait();  // all have ended
    Pages sum;
    for (const Pages& pages : found_) sum.here += pages.here, sum.elsewhere += pages.elsewhere;
    return sum;
  }

 private:
  void run_watched_pass(Pages& found) {
    const Pass pass;
    const std::vector<Block> blocks = make_blocks();
    found = look_at_pages(blocks);
    together_.arrive_and_wait();
    free_blocks(blocks);
  }

  void work(int processor) {
    const int processors = static_cast<int>(found_.size());
    for (const Phase& phase : kPhases) {
      together_.arrive_and_wait();
      pin_to(phase.where == kAtHome ? processor : (processor + processors / 2) % processors);
      run_watched_pass(found_[static_cast<std::size_t>(processor)]);
      together_.arrive_and_wait();
    }
  }

  std::barrier<> together_;
  std::vector<Pages> found_;
  std::vector<std::thread> threads_;
};

// Returns the kilobytes of huge pages that the process has.
long huge_kilobytes() {
  long sum = 0;
  char line[256];
  std::FILE* file = std::fopen("/proc/self/smaps_rollup", "r");
  if (file == nullptr) return 0;
  while (std::fgets(line, sizeof line, file) != nullptr) std::sscanf(line, "AnonHugePages: %ld", &sum);
  std::fclose(file);
  return sum;
}

void print_statistics() {
  char text[8192] = "{}";
  if (memo_stats_json != nullptr) memo_stats_json(text, sizeof text);
  std::printf("{\"statistics\": %s}\n", text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "record") == 0) {
    for (int pass = 0; pass < 20; ++pass) run_ordinary_pass();
    return 0;
  }
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Crowd crowd(static_cast<int>(processors));
  for (const Phase& phase : kPhases) {
    if (phase.idle_memory_goes_first && memo_release != nullptr) memo_release();
    const Pages pages = crowd.run_phase();
    std::printf("{\"phase\": \"%s\", \"threads\": %ld, \"here\": %ld, \"elsewhere\": %ld, \"huge\": %ld}\n",
                phase.name, processors, pages.here, pages.elsewhere, huge_kilobytes());
    std::fflush(stdout);
  }
  print_statistics();
  return 0;
}
