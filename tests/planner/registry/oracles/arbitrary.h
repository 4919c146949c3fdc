// Random problems for rapidcheck, small enough to shrink well and varied enough to hurt.
#pragma once

#include <rapidcheck.h>

#include <ostream>

#include "planner/problem/problem.h"
#include "planner/problem/soundness.h"

namespace memo::planner {

// Shows a counterexample.
inline void showValue(const Problem& problem, std::ostream& out) {
  out << "\nid,lower,upper,size,alignment,offset\n";
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    out << i << ',' << buffer.life.begin << ',' << buffer.life.end << ',' << buffer.size << ','
        << buffer.alignment << ',';
    if (buffer.fixed) out << *buffer.fixed;
    out << '\n';
  }
  if (problem.capacity) out << "capacity " << *problem.capacity << '\n';
}

// The limits of what the buffers of a random problem may ask for.
struct Traits {
  bool alignments = false;  // mixed ones, of which some do not divide each other
  bool fixed = false;
};

inline void showValue(const Traits& traits, std::ostream& out) {
  out << (traits.alignments ? "mixed alignments" : "no alignments") << ", "
      << (traits.fixed ? "fixed places" : "nothing fixed");
}

inline Buffer random_buffer(Time begin, Time length, Bytes size) {
  return {.life = {begin, begin + length}, .size = size, .alignment = 1, .fixed = {}};
}

// A fixed place that collides with an earlier one is given up, so the problem is sound.
inline Problem sound_problem(std::vector<Buffer> buffers) {
  Problem problem;
  for (Buffer& buffer : buffers) {
    problem.buffers.push_back(buffer);
    if (fixed_collision(problem)) problem.buffers.back().fixed.reset();
  }
  return problem;
}

inline rc::Gen<Buffer> buffers(Traits traits) {
  auto gen = rc::gen::apply(random_buffer, rc::gen::inRange<Time>(0, 10), rc::gen::inRange<Time>(1, 7),
                            rc::gen::inRange<Bytes>(1, 12));
  if (traits.alignments) {
    gen = rc::gen::apply(
        [](Buffer buffer, Bytes alignment) {
          buffer.alignment = alignment;
          return buffer;
        },
        gen, rc::gen::element<Bytes>(1, 1, 2, 3, 4, 8));
  }
  if (traits.fixed) {
    gen = rc::gen::apply(
        [](Buffer buffer, Offset units) {
          if (units < 4) buffer.fixed = units * buffer.alignment;
          return buffer;
        },
        gen, rc::gen::inRange<Offset>(0, 16));
  }
  return gen;
}

// Generates up to `most` buffers, every count as likely from the first try on (left to itself rapidcheck
// starts small).
inline rc::Gen<Problem> problems(std::size_t most, Traits traits) {
  const auto of_count = [traits](std::size_t count) {
    return rc::gen::map(rc::gen::container<std::vector<Buffer>>(count, buffers(traits)), sound_problem);
  };
  return rc::gen::resize(rc::kNominalSize,
                         rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, most + 1), of_count));
}

}  // namespace memo::planner

namespace rc {

template <>
struct Arbitrary<memo::planner::Traits> {
  static Gen<memo::planner::Traits> arbitrary() {
    return gen::apply(
        [](bool alignments, bool fixed) {
          return memo::planner::Traits{alignments, fixed};
        },
        gen::arbitrary<bool>(), gen::arbitrary<bool>());
  }
};

}  // namespace rc
