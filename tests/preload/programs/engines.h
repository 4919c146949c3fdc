// Functions that a recording names as those of OpenCV and PyTorch. Each calls `body`.
#pragma once

#include <cstddef>
#include <functional>

namespace cv::dnn {

struct LayerData {
  int id;
  const char* name;
  std::size_t length;
  char behind[16];
};

struct Net {
  struct Impl {
    void forwardLayer(LayerData& layer, const std::function<void()>& body);
  };
};

}  // namespace cv::dnn

namespace at {

namespace _ops {
struct relu {
  static void call(const std::function<void()>& body);
};
}  // namespace _ops

namespace native {
extern int softmax_stub;
void softmax(const std::function<void()>& body);
}  // namespace native

namespace meta {
struct structured_cat {
  void meta(const std::function<void()>& body);
};
}  // namespace meta

}  // namespace at
