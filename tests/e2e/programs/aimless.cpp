// aimless ALLOCATIONS: blocks of random sizes from places that take turns at random, freed in another order: nothing in it
// recurs. Prints a checksum.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr std::size_t kLive = 64;

template <int kPlace>
[[gnu::noinline]] void* allocate(std::size_t bytes) {
  void* block = std::malloc(bytes);
  asm volatile("" : : "r"(block) : "memory");  // the call is no jump
  return block;
}

using Place = void* (*)(std::size_t);
constexpr Place kPlaces[] = {allocate<0>, allocate<1>, allocate<2>, allocate<3>, allocate<4>};

}  // namespace

int main(int count, char** arguments) {
  const long allocations = count > 1 ? std::atol(arguments[1]) : 0;
  std::mt19937 random(7);
  void* live[kLive] = {};
  std::uint64_t sum = 0;
  for (long i = 0; i < allocations; ++i) {
    void*& block = live[random() % kLive];
    std::free(block);
    const std::size_t bytes = 16 + random() % 5000;
    block = kPlaces[random() % std::size(kPlaces)](bytes);
    *static_cast<unsigned char*>(block) = static_cast<unsigned char>(bytes);
    sum = sum * 31 + *static_cast<unsigned char*>(block);
  }
  for (void* block : live) std::free(block);
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
