// Instances whose optimum is known because they were cut from a full rectangle: all bytes are live at every moment,
// so the peak is the rectangle's height, and the pieces, put back, reach it.
//
//     +-----------+      +---+-------+      +---+-------+
//     |           |  ->  |   |       |  ->  |   +--+----+   … until there are enough pieces; a cut in time makes two
//     |           |      |   |       |      |   |  |    |   lives, a cut in space two sizes
//     +-----------+      +---+-------+      +---+--+----+
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct CutRectangle {
  Problem problem;
  Bytes height;
};

class RectangleCutter {
 public:
  RectangleCutter(std::uint32_t seed, std::size_t pieces) : random_(seed), wanted_(pieces) {}

  CutRectangle cut() {
    const Bytes height = 4096;
    pieces_ = {{.life = {0, 1000}, .size = height}};
    while (pieces_.size() < wanted_) cut_one();
    std::shuffle(pieces_.begin(), pieces_.end(), random_);
    return {.problem = {.buffers = pieces_, .capacity = {}}, .height = height};
  }

 private:
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }

  // Cuts the largest of three pieces drawn at random, so that neither crumbs nor slabs prevail.
  void cut_one() {
    std::size_t chosen = draw();
    for (int i = 0; i < 2; ++i) {
      const std::size_t other = draw();
      if (area(pieces_[other]) > area(pieces_[chosen])) chosen = other;
    }
    if (between(0, 1) == 0) {
      cut_time(pieces_[chosen]);
    } else {
      cut_space(pieces_[chosen]);
    }
  }
  std::size_t draw() {
    return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(pieces_.size()) - 1));
  }
  static std::int64_t area(const Buffer& piece) { return piece.life.length() * piece.size; }

  void cut_time(Buffer& first) {
    if (first.life.length() < 2) return;
    Buffer second = first;
    first.life.end = second.life.begin = between(first.life.begin + 1, first.life.end - 1);
    pieces_.push_back(second);
  }
  void cut_space(Buffer& lower) {
    if (lower.size < 2) return;
    Buffer upper = lower;
    lower.size = between(1, lower.size - 1);
    upper.size -= lower.size;
    pieces_.push_back(upper);
  }

  std::mt19937 random_;
  std::size_t wanted_;
  std::vector<Buffer> pieces_;
};

// The instance number `number` of a fixed series: 20 to 400 pieces, small ones more often.
inline CutRectangle cut_rectangle(std::uint32_t number) {
  std::mt19937 random(number);
  const double grade = std::uniform_real_distribution<double>(0, 1)(random);
  const auto pieces = static_cast<std::size_t>(20 + 380 * grade * grade);
  return RectangleCutter(number, pieces).cut();
}

}  // namespace memo::planner
