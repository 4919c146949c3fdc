#include "tests/preload/programs/engines.h"

// The empty statements keep the calls from being the functions' last act.

void cv::dnn::Net::Impl::forwardLayer(LayerData&, const std::function<void()>& body) {
  body();
  asm volatile("");
}

void at::_ops::relu::call(const std::function<void()>& body) {
  body();
  asm volatile("");
}

int at::native::softmax_stub = 1;

void at::native::softmax(const std::function<void()>& body) {
  body();
  asm volatile("");
}

void at::meta::structured_cat::meta(const std::function<void()>& body) {
  body();
  asm volatile("");
}
