#include "planner/tool/text/plain.h"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace memo::planner {
namespace {

using Json = nlohmann::json;

std::string valid_text(std::string_view text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

// Returns how many bytes the control character takes that begins here, or 0 if none does. Those above the letters of
// ASCII, U+0080 to U+009F, are two bytes in UTF-8.
std::size_t control_at(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x20 || first == 0x7f) return 1;
  return first == 0xc2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xa0 ? 2 : 0;
}

}  // namespace

std::string plain_text(std::string_view text) {
  const std::string valid = valid_text(text);
  std::string plain;
  for (std::string_view rest = valid; !rest.empty();) {
    const std::size_t control = control_at(rest);
    plain += control != 0 ? '?' : rest[0];
    rest.remove_prefix(control != 0 ? control : 1);
  }
  return plain;
}

}  // namespace memo::planner
