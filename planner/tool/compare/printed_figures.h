// What a program says of itself: the last line of its output that is a JSON object.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace memo::compare {

struct PrintedFigures {
  std::map<std::string, double> figures;  // numbers, nested ones as "latency_ms.p50"
  std::map<std::string, std::string>
      answers;  // strings, and numbers called a checksum: the same in every run, or something is wrong
};

[[nodiscard]] PrintedFigures printed_figures(std::string_view output);

// More of it is better: requests_per_second, throughput.
[[nodiscard]] bool more_is_better(std::string_view figure);

}  // namespace memo::compare
