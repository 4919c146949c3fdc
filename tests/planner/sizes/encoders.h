// Traces of a text encoder whose requests have a batch and a length of their own, for tests. Its kernels loop over the
// batch and the heads, copy only where there is more than one text, and take a buffer only for long texts.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "planner/trace/trace.h"
#include "tests/planner/traced_program.h"

namespace memo::testing {

using planner::Bytes;
using planner::Pass;
using planner::Trace;

struct Request {
  Bytes batch = 1;
  Bytes length = 8;
};

struct EncoderOptions {
  bool operators = true;
  int layers = 2;
  Bytes heads = 4;
  Bytes width = 64;
  Bytes long_text = 60;
};

class Encoder : public TracedProgram {
 public:
  explicit Encoder(const EncoderOptions& options) : TracedProgram(options.operators), options_(options) {}

  [[nodiscard]] Pass pass(std::uint64_t number, const Request& request) {
    return traced(number, [&] { run(request); });
  }

 private:
  void run(const Request& request) {
    const Bytes rows = request.batch * request.length;
    std::size_t state = make("embed", 0x10, rows * options_.width);
    for (int layer = 0; layer < options_.layers; ++layer) state = run_layer(request, state);
    make("mean", 0x11, request.batch * options_.width);  // the answer: it outlives the pass
    release(state);
  }

  std::size_t run_layer(const Request& request, std::size_t state) {
    const Bytes rows = request.batch * request.length;
    const std::size_t parts = make("project", 0x20, 3 * rows * options_.width);
    const std::size_t weights =
        product(request, 0x30, request.batch * options_.heads * request.length * request.length);
    const std::size_t soft =
        make("softmax", 0x21, request.batch * options_.heads * request.length * request.length);
    release(weights);
    const std::size_t mixed = product(request, 0x40, rows * options_.width);
    release(soft);
    release(parts);
    const std::size_t joined = request.batch > 1 ? make("clone", 0x22, rows * options_.width) : mixed;
    if (joined != mixed) release(mixed);
    const std::size_t out = make("linear", 0x23, rows * options_.width);
    release(joined);
    release(state);
    return out;
  }

  // Makes a small product for each text and head, in a loop inside the operator.
  std::size_t product(const Request& request, std::uint64_t site, Bytes bytes) {
    std::size_t result = 0;
    in_operator("product", [&] {
      result = add(site, bytes);
      for (Bytes i = 0; i < request.batch * options_.heads; ++i) {
        std::vector<std::size_t> views;
        for (std::uint64_t view = 1; view <= 3; ++view) views.push_back(make("view", 0x50 + view, 192));
        if (request.length > options_.long_text) views.push_back(add(0x5f, 512 << 10));
        for (const std::size_t view : views) release(view);
      }
    });
    return result;
  }

  EncoderOptions options_;
};

inline Trace trace_of_requests(const std::vector<Request>& requests, const EncoderOptions& options = {}) {
  Encoder encoder(options);
  Trace trace;
  for (const Request& request : requests)
    trace.passes.push_back(encoder.pass(trace.passes.size() + 1, request));
  trace.names = encoder.names();
  trace.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  return trace;
}

// Batches of 1, 2, 4 and 8 texts of 8 to `longest` tokens; the first is the largest.
inline std::vector<Request> random_requests(std::size_t count, unsigned seed, Bytes longest = 128) {
  std::mt19937 random(seed);
  std::vector<Request> requests{{.batch = 8, .length = longest}};
  while (requests.size() < count)
    requests.push_back({.batch = Bytes{1} << random() % 4,
                        .length = 8 + static_cast<Bytes>(random() % static_cast<unsigned>(longest - 7))});
  return requests;
}

}  // namespace memo::testing
