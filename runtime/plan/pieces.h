// Hands out the pieces of one mapping. Every layout runs twice: first without memory, to learn how much it takes.
#pragma once

#include <cstdint>

#include "runtime/formats/rounding.h"
#include "runtime/platform/memory_annotations.h"

namespace memo::runtime {

class Pieces {
 public:
  explicit Pieces(char* memory) : memory_(memory) {}

  template <typename T>
  T* take(std::uint64_t count) {
    used_ = round_up(used_, alignof(T));
    T* piece = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + used_);
    used_ += count * sizeof(T);
    if (memory_ != nullptr) checker::forbid(memory_ + used_, checker::kGap);
    used_ += checker::kGap;
    return piece;
  }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  char* memory_;
  std::uint64_t used_ = 0;
};

}  // namespace memo::runtime
