// Names who answers the calls of a replay: whatever allocator the process runs on, or one of two floors that none can
// beat.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "tests/bench/replay/recording.h"

namespace memo::bench {

// malloc, operator new and the others, as the program was recorded to call them.
class Preloaded {
 public:
  explicit Preloaded(const Recording&) {}

  static void begin_pass() {}
  static void* allocate(const Step& step) {
    switch (step.call) {
      case Call::kCalloc:
        return std::calloc(1, step.size);
      case Call::kAligned:
        return aligned(step);
      case Call::kNew:
        return ::operator new(step.size);
      default:
        return std::malloc(step.size);
    }
  }
  static void release(void* block) { std::free(block); }

 private:
  static void* aligned(const Step& step) {
    void* block = nullptr;
    return posix_memalign(&block, step.alignment, step.size) == 0 ? block : nullptr;
  }
};

// A bare bump pointer over as many bytes as the pass has live at once, so that its cache is as warm as can be. Correct
// for nobody: it hands out again what is live.
class Bump {
 public:
  explicit Bump(const Recording& recording)
      : memory_(new char[recording.peak + kSlack]), end_(memory_.get() + recording.peak) {}

  void begin_pass() { next_ = memory_.get(); }
  void* allocate(const Step& step) {
    char* block = next_;
    if (step.size > static_cast<std::size_t>(end_ - block)) block = memory_.get();
    next_ = block + (step.size + 63) / 64 * 64;
    return block;
  }
  static void release(void*) {}

 private:
  static constexpr std::size_t kSlack = 64;
  std::unique_ptr<char[]> memory_;
  char* end_;
  char* next_ = memory_.get();
};

// No allocator at all: the addresses are known. What is left is the replay's own loop.
class Known {
 public:
  explicit Known(const Recording& recording) : bump_(recording), addresses_(recording.blocks) {
    for (const Step& step : recording.steps) {
      if (step.call != Call::kFree) addresses_[step.block] = bump_.allocate(step);
    }
  }

  static void begin_pass() {}
  void* allocate(const Step& step) { return addresses_[step.block]; }
  static void release(void*) {}

 private:
  Bump bump_;
  std::vector<void*> addresses_;
};

}  // namespace memo::bench
