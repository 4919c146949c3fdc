// Two kinds of model behind one function, in a library of their own: so its callers have a slot that can be hooked.
#pragma once

#include <cstddef>
#include <cstdint>

struct Answer {
  explicit Answer(std::uint64_t value) : sum(value) {}
  ~Answer();  // makes the callers pass an address for the result, before `this`
  std::uint64_t sum;
};

class Model {
 public:
  explicit Model(bool wide) : wide_(wide) {}

  // Keeps a first block to the end, as a model keeps its input; then the kinds part.
  [[nodiscard]] Answer forward(std::size_t bytes) const;

 private:
  bool wide_;
};
