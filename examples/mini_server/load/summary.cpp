#include "examples/mini_server/load/summary.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace mini {
namespace {

struct Latency {
  double mean, p50, p90, p99, p999, max;
};

Latency latency_of(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return {};
  std::sort(milliseconds.begin(), milliseconds.end());
  const double sum = std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0);
  return {sum / static_cast<double>(milliseconds.size()),
          percentile(milliseconds, 0.50),
          percentile(milliseconds, 0.90),
          percentile(milliseconds, 0.99),
          percentile(milliseconds, 0.999),
          milliseconds.back()};
}

double per_second(const LoadResult& result) {
  return result.seconds > 0 ? static_cast<double>(result.latencies.size()) / result.seconds : 0;
}

}  // namespace

double percentile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return 0;
  const double rank = std::ceil(fraction * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::string summary_text(const LoadResult& result) {
  const Latency latency = latency_of(result.latencies);
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  text << result.latencies.size() << " requests in " << result.seconds << " s: " << per_second(result)
       << " per second\n";
  text << "latency, ms: mean " << latency.mean << ", p50 " << latency.p50 << ", p90 " << latency.p90
       << ", p99 " << latency.p99 << ", p99.9 " << latency.p999 << ", max " << latency.max << '\n';
  for (const auto& [path, checksum] : result.checksums) text << path << " checksum " << checksum << '\n';
  text << result.wrong << " wrong checksums, " << result.failed << " failures\n";
  return text.str();
}

namespace {

nlohmann::json to_json(const LoadResult& result) {
  const Latency latency = latency_of(result.latencies);
  return {{"requests", result.latencies.size()},
          {"seconds", result.seconds},
          {"requests_per_second", per_second(result)},
          {"latency_ms",
           {{"mean", latency.mean},
            {"p50", latency.p50},
            {"p90", latency.p90},
            {"p99", latency.p99},
            {"p999", latency.p999},
            {"max", latency.max}}},
          {"wrong", result.wrong},
          {"failed", result.failed},
          {"checksums", result.checksums},
          {"answers", result.answers}};
}

}  // namespace

std::string summary_json(const LoadResult& result) {
  return to_json(result).dump(2) + "\n";
}

std::string summary_json_with_each(const LoadResult& result) {
  nlohmann::json json = to_json(result);
  json["each_ms"] = result.latencies;
  return json.dump() + "\n";
}

}  // namespace mini
