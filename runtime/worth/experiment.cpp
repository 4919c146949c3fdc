#include "runtime/worth/experiment.h"

#include <algorithm>
#include <utility>

namespace memo::runtime {
namespace {

constexpr std::uint64_t kShort =
    2'000'000;  // nanoseconds: reading the clocks takes a thousandth of such a block
constexpr std::uint64_t kLong = 50'000'000;  // half of a second for ten blocks
constexpr std::uint32_t kLongest = 1024;     // requests

Taken since(const Taken& begin, const Taken& now) {
  return {.thread = now.thread - begin.thread,
          .process = now.process - begin.process,
          .faults_of_thread = now.faults_of_thread - begin.faults_of_thread,
          .faults_of_process = now.faults_of_process - begin.faults_of_process,
          .passes = now.passes - begin.passes};
}

}  // namespace

void Experiment::end_block(const Taken& now, std::uint64_t chance) {
  took_[serves_now() ? 1 : 0] = since(begin_, now);
  begun_ = 0;
  block_ = 1 - block_;
  if (block_ != 0) return;
  if (std::exchange(has_pair_, true)) note_pair();
  fit_length(std::min(took_[0].thread, took_[1].thread));
  serves_first_ = (chance & 1) != 0;
}

// Counts what the whole process took where this thread alone runs passes: threads that compute for it count then. What others do
// for passes of their own says nothing.
void Experiment::note_pair() {
  const auto& [heap, served] = took_;
  const bool alone = heap.passes.others == 0 && served.passes.others == 0;
  const auto time_of = [alone](const Taken& took) {
    return static_cast<double>(alone ? took.process : took.thread);
  };
  test_.note(time_of(served), time_of(heap));
  for (int way = 0; way < 2; ++way)
    faults_[way] += alone ? took_[way].faults_of_process : took_[way].faults_of_thread;
  requests_ += length_;
  load_ += heap.passes;
  load_ += served.passes;
}

void Experiment::fit_length(std::uint64_t shortest) {
  if (shortest < kShort && length_ < kLongest) length_ *= 2;
  if (shortest > kLong && length_ > 1) length_ /= 2;
}

double Experiment::more_faults() const {
  if (requests_ == 0) return 0;
  return (static_cast<double>(faults_[1]) - static_cast<double>(faults_[0])) / static_cast<double>(requests_);
}

std::uint64_t Experiment::requests_to_look() const {
  return std::uint64_t{test_.pairs_to_look()} * 2 * (length_ + 1);
}

}  // namespace memo::runtime
