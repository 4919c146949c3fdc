#include "examples/mini_server/server/inference.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace mini {
namespace {

// A request that cannot be answered, in the words of the answer.
struct BadParameter : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Range {
  std::uint64_t low;
  std::uint64_t high;
};

std::uint64_t parameter(const Request& request, const char* name, std::uint64_t fallback, Range range) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return fallback;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < range.low || value > range.high) {
    throw BadParameter(std::string(name) + "=\"" + text + "\": give a whole number from " +
                       std::to_string(range.low) + " to " + std::to_string(range.high));
  }
  return value;
}

void refuse_unknown_parameters(const Request& request) {
  for (const auto& [name, value] : request.query) {
    if (name != "batch" && name != "image" && name != "seed") {
      throw BadParameter("\"" + name + "\" is no parameter; there are batch, image and seed");
    }
  }
}

// FNV-1a over the bits of the floats: one bit off anywhere and it differs.
std::string checksum(const std::vector<float>& values) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    hash = (hash ^ bits) * 0x100000001b3U;
  }
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::vector<std::size_t> best_classes(const std::vector<float>& logits) {
  std::vector<std::size_t> best;
  for (auto row = logits.begin(); row != logits.end(); row += kClasses) {
    best.push_back(static_cast<std::size_t>(std::max_element(row, row + kClasses) - row));
  }
  return best;
}

}  // namespace

Inference::Inference(const Options& options) : options_(options) {
  reload();
}

void Inference::reload() {
  auto fresh = std::make_shared<const Network>(make_network(options_.seed, options_.swap_branches));
  const std::lock_guard lock(mutex_);
  network_.swap(fresh);
}

NetworkInUse Inference::network() const {
  const std::lock_guard lock(mutex_);
  return network_;
}

Answer Inference::infer(const Request& request, const Network& network) const {
  refuse_unknown_parameters(request);
  const std::size_t batch = parameter(request, "batch", options_.batch, {1, kLargestBatch});
  const std::size_t image = parameter(request, "image", options_.image, {kSmallestImage, kLargestImage});
  const std::uint64_t seed = parameter(request, "seed", 1, {0, std::numeric_limits<std::uint64_t>::max()});
  const Tensor input = make_input(seed, batch, image);
  std::vector<float> logits(batch * kClasses);

  const auto begin = std::chrono::steady_clock::now();
  mini_forward(network, input, logits.data());
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;

  const nlohmann::json body{{"batch", batch},
                            {"image", image},
                            {"seed", seed},
                            {"checksum", checksum(logits)},
                            {"classes", best_classes(logits)},
                            {"milliseconds", elapsed.count()}};
  return {200, body.dump()};
}

Answer Inference::answer(const Request& request, const NetworkInUse& network) const {
  if (request.path == "/health") return {200, R"({"status":"ready"})"};
  if (request.path != "/infer") {
    return {404, error_json("nothing at " + request.path + "; there are /infer and /health")};
  }
  try {
    return infer(request, *network);
  } catch (const BadParameter& error) {
    return {400, error_json(error.what())};
  } catch (const std::exception& error) {
    return {500, error_json(error.what())};
  }
}

std::string checksum_in(const Answer& answer) {
  return nlohmann::json::parse(answer.body).at("checksum");
}

}  // namespace mini
