// Lets some requests of a kind be served and gives others to the heap alone, in short blocks, until it is known which takes less
// (paired_test.h).
//
//   a pair     |   one way     |  the other way  |      chance decides which way comes first
//   requests    left m m m m     left m m m m           the first of a block is left out: it pays for the change
//
// So is a thread's first pair: its heap gets from the kernel what a pass needs, and holds it from then on.
//
// A request lasts from the begin of its pass to the begin of the next one: what serving does to the program in between counts as
// well. Clocks are read at the edges of blocks alone, and blocks become as long as makes that cheap. For one thread at a time.
#pragma once

#include <cstdint>

#include "runtime/worth/load.h"
#include "runtime/worth/paired_test.h"

namespace memo::runtime {

// What the thread and the process have taken so far, and how many passes have begun.
struct Taken {
  std::uint64_t thread, process;  // nanoseconds of processors
  std::uint64_t faults_of_thread, faults_of_process;
  Load passes;
};

class Experiment {
 public:
  // Returns true if the request that begins is to be served, false if it goes to the heap. Calls `take`, which returns a Taken, at
  // the edges of blocks. `chance` is any number that does not hang together with what requests do.
  template <typename Take>
  bool serves_next(Take take, std::uint64_t chance) {
    if (begun_ == 0 && block_ == 0) serves_first_ = (chance & 1) != 0;
    if (begun_ == 1) begin_ = take();
    if (begun_ == length_ + 1) end_block(take(), chance);
    ++begun_;
    return serves_now();
  }

  void begin_anew() {
    test_.begin_anew();
    drop_pair();
    length_ = 1;
    faults_[0] = faults_[1] = requests_ = 0;
    load_ = {};
  }

  // Forgets the pair that is under way: the thread does something else.
  void drop_pair() {
    begun_ = block_ = 0;
    has_pair_ = false;
  }

  [[nodiscard]] const PairedTest& test() const { return test_; }
  [[nodiscard]] bool is_over() const { return test_.is_over(); }

  // Returns how many page faults more a served request has than one on the heap.
  [[nodiscard]] double more_faults() const;

  // Returns the load while requests were measured.
  [[nodiscard]] const Load& load() const { return load_; }

  // Returns how many requests the next look still wants.
  [[nodiscard]] std::uint64_t requests_to_look() const;

 private:
  [[nodiscard]] bool serves_now() const { return (block_ == 0) == serves_first_; }
  void end_block(const Taken& now, std::uint64_t chance);
  void note_pair();
  void fit_length(std::uint64_t shortest);

  PairedTest test_;
  std::uint32_t length_ = 1;  // requests of a block that are measured
  std::uint32_t begun_ = 0;   // requests of this block, the first one included
  std::uint32_t block_ = 0;   // of the pair
  bool serves_first_ = false;
  bool has_pair_ = false;  // the thread has run one
  Taken begin_{};
  Taken took_[2]{};                           // by the heap's block and the served one
  std::uint64_t faults_[2]{}, requests_ = 0;  // of all pairs
  Load load_{};                               // likewise
};

}  // namespace memo::runtime
