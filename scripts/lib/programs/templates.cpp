// Something for a compiler to chew on.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

template <std::size_t... I>
auto make_table(std::index_sequence<I...>) {
  return std::make_tuple(std::array<std::size_t, I + 1>{I}...);
}

using Value = std::variant<int, double, std::string, std::vector<std::string>>;

std::size_t weigh(const std::map<std::string, Value>& values) {
  std::size_t total = 0;
  for (const auto& [key, value] : values) {
    total += key.size() + std::visit([](const auto& v) { return sizeof(v); }, value);
  }
  return total + std::tuple_size_v<decltype(make_table(std::make_index_sequence<200>{}))>;
}

bool matches(const std::string& text) {
  return std::regex_search(text, std::regex("(a|b)*[0-9]{2,5}$"));
}
