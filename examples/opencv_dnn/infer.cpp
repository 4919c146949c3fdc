// opencv_infer MODEL.onnx: runs the model on OpenCV's dnn module, pass after pass, and prints one JSON object: a digest
// of every output, and the median time of the later half of the passes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <iostream>
#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>
#include <string>
#include <vector>

namespace {

struct Options {
  std::string model;
  int passes = 30;
  int batch = 1;
  int side = 128;
  int threads = 1;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("model", options.model, "An ONNX model")->required()->check(CLI::ExistingFile);
  app.add_option("--passes", options.passes, "How many")->capture_default_str();
  app.add_option("--batch", options.batch, "Images in one pass")->capture_default_str();
  app.add_option("--side", options.side, "Height and width of an image")->capture_default_str();
  app.add_option("--threads", options.threads, "Of each layer")->capture_default_str();
}

// The same pixels in every run: a linear congruential generator.
cv::Mat make_image(int batch, int side) {
  const int shape[] = {batch, 3, side, side};
  cv::Mat image(4, shape, CV_32F);
  std::uint32_t state = 1;
  for (float* pixel = image.ptr<float>(); pixel != image.ptr<float>() + image.total(); ++pixel) {
    state = state * 1664525 + 1013904223;
    *pixel = static_cast<float>(state) / 4294967296.0F;
  }
  return image;
}

// FNV-1a over the bytes of every output.
class Digest {
 public:
  void add(const cv::Mat& output) {
    const std::size_t bytes = output.total() * output.elemSize();
    for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ output.data[i]) * 0x100000001b3U;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

void run(const Options& options) {
  cv::setNumThreads(options.threads);
  cv::dnn::Net network = cv::dnn::readNetFromONNX(options.model);
  const cv::Mat image = make_image(options.batch, options.side);
  Digest digest;
  std::vector<double> times;
  for (int pass = 0; pass < options.passes; ++pass) {
    const auto begin = std::chrono::steady_clock::now();
    network.setInput(image);
    const cv::Mat output = network.forward();
    times.push_back(milliseconds_since(begin));
    digest.add(output);
  }
  times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  std::cout << "{\"answer\": \"" << std::hex << std::setw(16) << std::setfill('0') << digest.value()
            << "\", \"milliseconds\": " << median(times) << "}" << std::endl;
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs an ONNX model on OpenCV's dnn module, pass after pass.", "opencv_infer"};
  declare(app, options);
  try {
    app.parse(argc, argv);
    run(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "opencv_infer: " << error.what() << '\n';
    return 1;
  }
}
