// Two kinds of model behind one function, in a library of their own: so its callers have a slot that can be hooked.
#pragma once

#include <cstddef>
#include <cstdint>

struct Answer {
  explicit Answer(std::uint64_t value) : sum(value) {}
  ~Answer();  // makes the callers pass an address for the result, before `this`
  std::uint64_t sum;
};

// The layers of each kind, as operators that can be hooked.
extern "C" std::uint64_t layers_of_wide(std::size_t bytes);
extern "C" std::uint64_t layers_of_narrow(std::size_t bytes);

class Model {
 public:
  explicit Model(bool wide) : wide_(wide) {}

  // Keeps a first block to the end, as a model keeps its input; then the kinds part. Runs its layers so many times.
  [[nodiscard]] Answer forward(std::size_t bytes, std::size_t times) const;

 private:
  bool wide_;
};
