// Answers requests: checks the parameters, runs the network, and says what came out.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "examples/mini_server/http/http.h"
#include "examples/mini_server/network/network.h"
#include "examples/mini_server/server/options.h"

namespace mini {

struct Answer {
  int status;
  std::string body;  // JSON
};

using NetworkInUse = std::shared_ptr<const Network>;

class Inference {
 public:
  explicit Inference(const Options& options);

  // Safe from many threads at once.
  [[nodiscard]] Answer answer(const Request& request) const { return answer(request, network()); }
  [[nodiscard]] Answer answer(const Request& request, const NetworkInUse& network) const;

  // Stays as it is for whoever holds it.
  [[nodiscard]] NetworkInUse network() const;

  // Makes the network anew, from the same seed; requests that are being answered keep the old one until they are.
  void reload();

 private:
  [[nodiscard]] Answer infer(const Request& request, const Network& network) const;

  Options options_;
  // std::atomic would do for this, but GCC 12's locks inside, too, and races in the eyes of the thread sanitizer.
  mutable std::mutex mutex_;
  NetworkInUse network_;
};

// The checksum of an answer to /infer.
[[nodiscard]] std::string checksum_in(const Answer& answer);

}  // namespace mini
