// Traces of a text encoder whose requests have a batch and a length of their own, for tests. Its kernels loop over the
// batch and the heads, copy only where there is more than one text, and take a buffer only for long texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::testing {

using planner::Allocation;
using planner::Bytes;
using planner::Pass;
using planner::ScopeIndex;
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

class Encoder {
 public:
  explicit Encoder(const EncoderOptions& options) : options_(options) {}

  [[nodiscard]] Pass pass(std::uint64_t number, const Request& request) {
    pass_ = {.number = number, .name = 1, .complete = true, .scopes = {}, .allocations = {}};
    open_.clear();
    const Bytes rows = request.batch * request.length;
    std::size_t state = allocate("embed", 0x10, rows * options_.width);
    for (int layer = 0; layer < options_.layers; ++layer) state = run_layer(request, state);
    allocate("mean", 0x11, request.batch * options_.width);  // the answer: it outlives the pass
    release(state);
    for (Allocation& made : pass_.allocations)
      if (!made.freed) made.life.end = pass_.events;
    return std::move(pass_);
  }

 private:
  std::size_t run_layer(const Request& request, std::size_t state) {
    const Bytes rows = request.batch * request.length;
    const std::size_t parts = allocate("project", 0x20, 3 * rows * options_.width);
    const std::size_t weights =
        product(request, 0x30, request.batch * options_.heads * request.length * request.length);
    const std::size_t soft =
        allocate("softmax", 0x21, request.batch * options_.heads * request.length * request.length);
    release(weights);
    const std::size_t mixed = product(request, 0x40, rows * options_.width);
    release(soft);
    release(parts);
    const std::size_t joined = request.batch > 1 ? allocate("clone", 0x22, rows * options_.width) : mixed;
    if (joined != mixed) release(mixed);
    const std::size_t out = allocate("linear", 0x23, rows * options_.width);
    release(joined);
    release(state);
    return out;
  }

  // Makes a small product for each text and head, in a loop inside the operator.
  std::size_t product(const Request& request, std::uint64_t site, Bytes bytes) {
    begin("product");
    const std::size_t result = add(site, bytes);
    for (Bytes i = 0; i < request.batch * options_.heads; ++i) {
      std::vector<std::size_t> views;
      for (std::uint64_t view = 1; view <= 3; ++view) {
        begin("view");
        views.push_back(add(0x50 + view, 192));
        end();
      }
      if (request.length > options_.long_text) views.push_back(add(0x5f, 512 << 10));
      for (const std::size_t view : views) release(view);
    }
    end();
    return result;
  }

  std::size_t allocate(const std::string& name, std::uint64_t site, Bytes bytes) {
    begin(name);
    const std::size_t made = add(site, bytes);
    end();
    return made;
  }
  std::size_t add(std::uint64_t site, Bytes bytes) {
    pass_.allocations.push_back({.size = bytes,
                                 .escapes = true,
                                 .life = {pass_.events, pass_.events + 1},
                                 .site = {.module = 0, .offset = site},
                                 .scope = open_.empty() ? planner::kNone : open_.back()});
    ++pass_.events;
    return pass_.allocations.size() - 1;
  }
  void release(std::size_t index) {
    Allocation& made = pass_.allocations[index];
    made.freed = true;
    made.escapes = false;
    made.life.end = pass_.events++;
  }
  void begin(const std::string& name) {
    if (!options_.operators) return;
    pass_.scopes.push_back({.name = number_of(name),
                            .parent = open_.empty() ? planner::kNone : open_.back(),
                            .life = {pass_.events, pass_.events}});
    open_.push_back(static_cast<ScopeIndex>(pass_.scopes.size() - 1));
  }
  void end() {
    if (open_.empty()) return;
    pass_.scopes[open_.back()].life.end = pass_.events;
    open_.pop_back();
  }

 public:
  static std::vector<std::string> names() {
    return {"?", "forward", "embed", "mean", "project", "softmax", "clone", "linear", "product", "view"};
  }

 private:
  static planner::NameIndex number_of(const std::string& name) {
    const std::vector<std::string> all = names();
    return static_cast<planner::NameIndex>(std::find(all.begin(), all.end(), name) - all.begin());
  }

  EncoderOptions options_;
  Pass pass_;
  std::vector<ScopeIndex> open_;
};

inline Trace trace_of_requests(const std::vector<Request>& requests, const EncoderOptions& options = {}) {
  Trace trace;
  trace.names = Encoder::names();
  trace.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  for (const Request& request : requests)
    trace.passes.push_back(Encoder(options).pass(trace.passes.size() + 1, request));
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
