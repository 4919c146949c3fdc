#include "planner/tool/compare/printed_figures.h"

#include <nlohmann/json.hpp>

namespace memo::compare {
namespace {

using Json = nlohmann::json;

bool is_answer(const std::string& name, const Json& value) {
  return value.is_string() || (value.is_number() && name.find("checksum") != std::string::npos);
}

void collect(const std::string& name, const Json& value, PrintedFigures& found) {
  if (value.is_object()) {
    const std::string prefix = name.empty() ? "" : name + ".";
    for (const auto& [key, inner] : value.items()) collect(std::string(prefix).append(key), inner, found);
  } else if (is_answer(name, value)) {
    found.answers[name] = value.dump();
  } else if (value.is_number()) {
    found.figures[name] = value.get<double>();
  }
}

// Parses the output from the last line that begins with "{" to the end.
Json last_object(std::string_view output) {
  for (std::size_t end = output.size(); end != std::string_view::npos && end > 0;) {
    const std::size_t brace = output.rfind('{', end - 1);
    if (brace == std::string_view::npos) break;
    if (brace == 0 || output[brace - 1] == '\n') return Json::parse(output.substr(brace), nullptr, false);
    end = brace;
  }
  return nullptr;
}

}  // namespace

PrintedFigures printed_figures(std::string_view output) {
  PrintedFigures found;
  const Json object = last_object(output);
  if (object.is_object()) collect("", object, found);
  return found;
}

bool more_is_better(std::string_view figure) {
  return figure.ends_with("per_second") || figure.ends_with("throughput");
}

}  // namespace memo::compare
