// Small problems for rapidcheck, dense enough that buffers get in each other's way.
#pragma once

#include <rapidcheck.h>

#include <algorithm>

#include "planner/problem/problem.h"

namespace memo::planner::test {

struct Variety {
  int most_buffers = 7;
  bool alignments = false;
  bool fixed = false;
};

// The whole range from the first case on; rapidcheck would begin with the smallest values only.
template <typename T>
T between(T least, T beyond) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(least, beyond));
}

inline Buffer random_buffer(const Variety& variety) {
  Buffer buffer;
  buffer.life.begin = between<Time>(0, 6);
  buffer.life.end = buffer.life.begin + between<Time>(1, 5);
  buffer.size = between<Bytes>(1, 10);
  if (variety.alignments) buffer.alignment = *rc::gen::element<Bytes>(1, 2, 3, 4, 6);
  return buffer;
}

inline bool collides(const Problem& problem, const Buffer& fixed) {
  return std::any_of(problem.buffers.begin(), problem.buffers.end(), [&](const Buffer& other) {
    return other.fixed && other.life.overlaps(fixed.life) && *other.fixed < *fixed.fixed + fixed.size &&
           *fixed.fixed < *other.fixed + other.size;
  });
}

inline Problem random_problem(const Variety& variety) {
  Problem problem;
  const int count = between(1, variety.most_buffers + 1);
  for (int i = 0; i < count; ++i) {
    Buffer buffer = random_buffer(variety);
    if (variety.fixed && between(0, 4) == 0) {
      buffer.fixed = between<Offset>(0, 8) * buffer.alignment;
      if (collides(problem, buffer)) buffer.fixed.reset();
    }
    problem.buffers.push_back(buffer);
  }
  return problem;
}

}  // namespace memo::planner::test
