// Reads the figures that a program prints: the JSON object at the end of its output.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace memo::compare {

struct PrintedFigures {
  std::map<std::string, double> figures;  // numbers; nested ones have keys such as "latency_ms.p50"
  // Strings, and numbers with "checksum" in their name. They must be the same in every run.
  std::map<std::string, std::string> answers;
};

[[nodiscard]] PrintedFigures printed_figures(std::string_view output);

// Returns true for a figure that is better when it is higher: requests_per_second, throughput.
[[nodiscard]] bool more_is_better(std::string_view figure);

}  // namespace memo::compare
