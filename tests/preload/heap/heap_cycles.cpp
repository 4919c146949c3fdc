// Fills and empties its heap again and again, as programs do that load something, work on it and drop it:
//
//   heap_cycles BYTES LEAST MOST CYCLES [THREADS [FREED [KEPT]]]
//
// Each cycle allocates BYTES in blocks of LEAST to MOST bytes (each power of two as likely as the next), writes to each page, and frees
// the blocks `in-order`, `backwards`, `shuffled`, or `by-others`: each thread those that the one before it allocated. KEPT thousandths of
// them live on into the next cycle. Prints for each cycle the most memory that the process held during it, in KiB.
//
//   heap_cycles idle MILLISECONDS      frees 128 MiB, then goes on with small blocks
//   heap_cycles breathing MILLISECONDS  allocates and frees 64 MiB again and again
//
// These print how much memory is held at the end, in KiB, and the page faults of the second half of the time.
#include <sys/resource.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;

struct Settings {
  std::size_t bytes;  // live at the most, all threads together
  std::size_t least, most;
  int cycles;
  std::size_t threads;
  std::string_view freed;
  std::size_t kept;  // thousandths
};

char* allocate(std::size_t size) {
  auto* block = static_cast<char*>(std::malloc(size));
  if (block == nullptr) std::abort();
  for (std::size_t at = 0; at < size; at += kPage) block[at] = 1;
  return block;
}

std::size_t any_size(const Settings& settings, std::mt19937& random) {
  std::uniform_real_distribution<double> logarithm(std::log2(static_cast<double>(settings.least)),
                                                   std::log2(static_cast<double>(settings.most)));
  return settings.least == settings.most ? settings.least
                                         : static_cast<std::size_t>(std::exp2(logarithm(random)));
}

void fill(std::vector<char*>& blocks, const Settings& settings, std::mt19937& random) {
  for (std::size_t left = settings.bytes / settings.threads; left > settings.least;) {
    const std::size_t size = std::min(any_size(settings, random), left);
    blocks.push_back(allocate(size));
    left -= size;
  }
}

void empty(std::vector<char*>& blocks, const Settings& settings, std::mt19937& random) {
  if (settings.freed != "backwards") std::reverse(blocks.begin(), blocks.end());
  if (settings.freed == "shuffled") std::shuffle(blocks.begin(), blocks.end(), random);
  const std::size_t kept = blocks.size() * settings.kept / 1000;
  while (blocks.size() > kept) {
    std::free(blocks.back());
    blocks.pop_back();
  }
}

// Returns a figure of the process in KiB, by its name in /proc/self/status.
long kibibytes(const char* name) {
  long value = 0;
  char line[256];
  std::FILE* status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof line, status) != nullptr)
    if (std::strncmp(line, name, std::strlen(name)) == 0)
      value = std::strtol(line + std::strlen(name), nullptr, 10);
  std::fclose(status);
  return value;
}

// Prints the most that the process held since the last call.
void print_most() noexcept {
  std::printf("%ld\n", kibibytes("VmHWM:"));
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

void run_cycles(const Settings& settings) {
  std::vector<std::vector<char*>> blocks(settings.threads);
  std::barrier full(static_cast<std::ptrdiff_t>(settings.threads));
  std::barrier emptied(static_cast<std::ptrdiff_t>(settings.threads), print_most);
  std::vector<std::jthread> threads;
  for (std::size_t own = 0; own < settings.threads; ++own) {
    threads.emplace_back([&, own] {
      std::mt19937 random(static_cast<unsigned>(own));
      std::vector<char*>& freed = blocks[settings.freed == "by-others" ? (own + 1) % settings.threads : own];
      for (int cycle = 0; cycle < settings.cycles; ++cycle) {
        fill(blocks[own], settings, random);
        full.arrive_and_wait();
        empty(freed, settings, random);
        emptied.arrive_and_wait();
      }
    });
  }
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

void fill_and_empty(std::size_t bytes) {
  std::mt19937 random;
  const Settings settings{bytes, 1 << 20, 1 << 20, 1, 1, "in-order", 0};
  std::vector<char*> blocks;
  fill(blocks, settings, random);
  empty(blocks, settings, random);
}

void take_small_blocks() {
  for (const std::size_t size : {100UL, 20'000UL, 3000UL}) std::free(allocate(size));
}

void run_for(std::chrono::milliseconds time, bool breathes) {
  if (!breathes) fill_and_empty(std::size_t{128} << 20);
  const Clock::time_point begin = Clock::now();
  long faults = 0;
  while (Clock::now() < begin + time) {
    breathes ? fill_and_empty(std::size_t{64} << 20) : take_small_blocks();
    if (faults == 0 && Clock::now() > begin + time / 2) faults = page_faults();
  }
  std::printf("%ld\n%ld\n", kibibytes("VmRSS:"), page_faults() - faults);
}

std::size_t number(const char* text) {
  return std::strtoull(text, nullptr, 10);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view first = argc > 2 ? argv[1] : "";
  if (first == "idle" || first == "breathing") {
    run_for(std::chrono::milliseconds(number(argv[2])), first == "breathing");
  } else if (argc > 4) {
    run_cycles({.bytes = number(argv[1]),
                .least = number(argv[2]),
                .most = number(argv[3]),
                .cycles = std::atoi(argv[4]),
                .threads = argc > 5 ? number(argv[5]) : 1,
                .freed = argc > 6 ? argv[6] : "in-order",
                .kept = argc > 7 ? number(argv[7]) : 0});
  } else {
    std::fputs("usage: heap_cycles BYTES LEAST MOST CYCLES [THREADS [FREED [KEPT]]]\n", stderr);
    return 2;
  }
}
