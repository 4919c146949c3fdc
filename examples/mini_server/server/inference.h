// Answers requests: checks the parameters, runs the network, and says what came out.
#pragma once

#include <string>

#include "examples/mini_server/http/http.h"
#include "examples/mini_server/network/network.h"
#include "examples/mini_server/server/options.h"

namespace mini {

struct Answer {
  int status;
  std::string body;  // JSON
};

class Inference {
 public:
  explicit Inference(const Options& options);

  // Safe from many threads at once.
  [[nodiscard]] Answer answer(const Request& request) const;

 private:
  [[nodiscard]] Answer infer(const Request& request) const;

  Options options_;
  Network network_;
};

}  // namespace mini
