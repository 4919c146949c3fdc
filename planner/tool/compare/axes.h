// Draws the two axes of a picture in SVG, and says where a value lies between them.
#pragma once

#include <string>

namespace memo::compare {

// The values at both ends of an axis, and how they are written.
struct Axis {
  std::string title;
  double from = 0;
  double to = 1;
  double unit = 1;  // of the numbers beside the axis
};

class Axes {
 public:
  // In pixels: the corner at the upper left, and the size with all writing.
  struct Place {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
  };

  // Widens an axis that is a single value: it would have no length.
  Axes(Place place, Axis across, Axis upward);

  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(double value) const;
  [[nodiscard]] double right() const { return right_; }

  // Draws the frame, the numbers and both titles.
  [[nodiscard]] std::string svg() const;

 private:
  Place place_;
  Axis across_;
  Axis upward_;
  double left_;
  double right_;
  double top_;
  double bottom_;
};

}  // namespace memo::compare
