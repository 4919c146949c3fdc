#include "planner/tool/served/worth.h"

#include <fmt/format.h>

#include <cmath>

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

// Returns the number of this name; 0 where there is none, since the file may be of any program.
double number_in(const Json& worth, const char* name) {
  const auto found = worth.find(name);
  return found != worth.end() && found->is_number() ? found->get<double>() : 0;
}

double percent(const Json& worth, const char* name) {
  return 100 * number_in(worth, name);
}

// Returns ", 212 page faults fewer", and "" where it is less than one.
std::string faults_of(const Json& worth) {
  const double more = number_in(worth, "more_faults");
  const double faults = std::round(std::abs(more));
  if (faults < 1) return "";
  return fmt::format(", {:.0f} page fault{} {}", faults, faults == 1 ? "" : "s", more < 0 ? "fewer" : "more");
}

std::string difference_of(const Json& worth) {
  const double share = percent(worth, "share");
  const double nearer = std::abs(percent(worth, share < 0 ? "high" : "low"));
  const double farther = std::abs(percent(worth, share < 0 ? "low" : "high"));
  return fmt::format("a request takes {:.1f} % ({:.1f} to {:.1f}) {} processor time than on the heap{}",
                     std::abs(share), nearer, farther, share < 0 ? "less" : "more", faults_of(worth));
}

std::string interval_of(const Json& worth) {
  return fmt::format("{:+.1f} to {:+.1f} %", percent(worth, "low"), percent(worth, "high"));
}

std::string finding_in(const Json& worth) {
  const auto found = worth.find("finding");
  return found != worth.end() && found->is_string() ? found->get<std::string>() : "";
}

bool was_found_earlier(const Json& worth) {
  const auto found = worth.find("found_earlier");
  return found != worth.end() && found->is_boolean() && found->get<bool>();
}

std::string describe(const Json& worth) {
  const std::string finding = finding_in(worth);
  if (finding == "helps" || finding == "harms") return difference_of(worth);
  if (finding == "no difference")
    return fmt::format("a request takes as much processor time as on the heap ({}){}", interval_of(worth),
                       faults_of(worth));
  if (finding == "cannot tell")
    return fmt::format("requests differ too much to tell what serving is worth ({})", interval_of(worth));
  const bool any = number_in(worth, "low") != number_in(worth, "high");
  return fmt::format("what serving is worth is known after {:.0f} more requests{}",
                     number_in(worth, "requests_to_look"),
                     any ? fmt::format(" ({} so far)", interval_of(worth)) : "");
}

}  // namespace

std::string worth_for_prometheus(const Json& statistics, const std::string& labels) {
  const auto found = statistics.find("worth");
  if (found == statistics.end() || !found->is_object()) return "";
  std::string text =
      "# HELP memomalloc_request_time_ratio Processor time of a served request, as a part of what it takes on the heap\n"
      "# TYPE memomalloc_request_time_ratio gauge\n";
  for (const char* bound : {"low", "share", "high"})
    text += fmt::format("memomalloc_request_time_ratio{{{},bound=\"{}\"}} {:.5f}\n", labels, bound,
                        1 + number_in(*found, bound));
  return text +
         fmt::format(
             "# HELP memomalloc_request_faults Page faults of a served request beyond those on the heap\n"
             "# TYPE memomalloc_request_faults gauge\nmemomalloc_request_faults{{{}}} {:.1f}\n",
             labels, number_in(*found, "more_faults"));
}

std::string describe_worth(const Json& statistics) {
  const auto found = statistics.find("worth");
  if (found == statistics.end() || !found->is_object()) return "";
  return describe(*found) + (was_found_earlier(*found) ? " (found earlier)" : "");
}

}  // namespace memo::planner
