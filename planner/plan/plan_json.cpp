#include "planner/plan/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

// --- to JSON --------------------------------------------------------------------------------------------------

Json scope_number(std::uint32_t scope) {
  return scope == kNoScope ? Json(nullptr) : Json(scope);
}

Json to_json(const PlanScopeDescription& scope) {
  return {{"name", scope.name},
          {"parent", scope_number(scope.parent)},
          {"first_slot", scope.first_slot},
          {"end_slot", scope.end_slot}};
}

Json to_json(const SizeFormula& formula) {
  return {{"base", formula.base},
          {"factor", formula.factor},
          {"rounding", formula.rounding},
          {"powers", formula.powers}};
}

Json to_json(const PlanSlotDescription& slot) {
  Json json = {{"size", slot.size},          {"alignment", slot.alignment},
               {"zone", name_of(slot.zone)}, {"place", slot.place},
               {"freed_at", slot.freed_at},  {"scope", scope_number(slot.scope)},
               {"module", slot.site.module}, {"offset", slot.site.offset}};
  if (slot.cells != 0) json["cells"] = slot.cells;
  if (slot.spread != 0) json["spread"] = slot.spread;
  if (slot.formula.exists()) json["formula"] = to_json(slot.formula);
  return json;
}

Json to_json(const PlanLoopDescription& loop) {
  return {{"first_slot", loop.first_slot},   {"end_slot", loop.end_slot},   {"slots", loop.slots},
          {"first_scope", loop.first_scope}, {"end_scope", loop.end_scope}, {"scopes", loop.scopes}};
}

Json to_json(const PlanAnchorDescription& anchor) {
  return {{"key", anchor.pass_key},
          {"least", anchor.least},
          {"most", anchor.most},
          {"module", anchor.site.module},
          {"offset", anchor.site.offset}};
}

Json to_json(const VaryingSize& size) {
  return {{"least", size.least}, {"most", size.most}};
}

Json to_json(const PlanModuleDescription& module) {
  return {{"build_id", module.build_id}, {"path", module.path}};
}

template <typename T>
Json to_json(const std::vector<T>& elements) {
  Json list = Json::array();
  for (const T& element : elements) list.push_back(to_json(element));
  return list;
}

Json to_json(const PlanDescription& plan, const PlanVariantDescription& variant) {
  Json json = {{"key", variant.pass_key},         {"fingerprint", variant.fingerprint},
               {"height", height(plan, variant)}, {"lower_bound", variant.lower_bound},
               {"strategy", variant.strategy},    {"unplanned", variant.unplanned},
               {"shapes", variant.shapes},        {"scopes", to_json(variant.scopes)},
               {"slots", to_json(variant.slots)}};
  if (variant.warm_up != 0) json["warm_up"] = variant.warm_up;
  if (!variant.loops.empty()) json["loops"] = to_json(variant.loops);
  if (variant.range != ShapeRange{}) json["range"] = range_to_json(variant.range);
  return json;
}

// --- from JSON ------------------------------------------------------------------------------------------------

// A JSON value and the path to it, which error messages name.
class Node {
 public:
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] Node at(const char* key) const {
    if (!value_->is_object()) refuse("an object");
    const auto found = value_->find(key);
    if (found == value_->end()) throw std::runtime_error(fmt::format("{} is missing", below(key)));
    return {*found, below(key)};
  }

  [[nodiscard]] bool has(const char* key) const { return value_->is_object() && value_->contains(key); }

  template <typename T>
  [[nodiscard]] T number() const {
    if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > std::numeric_limits<T>::max())
      refuse(fmt::format("a whole number up to {}", std::numeric_limits<T>::max()));
    return value_->get<T>();
  }

  // Returns the number, or `otherwise` where another tool left the key out.
  template <typename T>
  [[nodiscard]] T number_or(const char* key, T otherwise) const {
    return has(key) ? at(key).number<T>() : otherwise;
  }

  // Returns the numbers of a list that has so many.
  template <std::size_t Count>
  [[nodiscard]] std::array<std::uint32_t, Count> numbers() const {
    const auto read = list([](const Node& node) { return node.number<std::uint32_t>(); });
    if (read.size() != Count) refuse(fmt::format("a list of {} numbers", Count));
    std::array<std::uint32_t, Count> numbers{};
    std::copy(read.begin(), read.end(), numbers.begin());
    return numbers;
  }

  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) refuse("a text");
    if (value_->get_ref<const std::string&>().find('\0') != std::string::npos)
      refuse("a text without zero bytes");
    return value_->get<std::string>();
  }

  [[nodiscard]] std::uint32_t scope() const { return value_->is_null() ? kNoScope : number<std::uint32_t>(); }

  [[nodiscard]] PlanZone zone() const {
    for (const PlanZone zone : kPlanZones)
      if (*value_ == name_of(zone)) return zone;
    refuse("\"cell\", \"large\", \"heap\", \"list\", \"kept\" or \"pool\"");
  }

  template <typename Read>
  [[nodiscard]] auto list(Read read) const {
    if (!value_->is_array()) refuse("a list");
    std::vector<decltype(read(*this))> elements;
    for (std::size_t index = 0; index < value_->size(); ++index)
      elements.push_back(read(Node((*value_)[index], fmt::format("{}[{}]", path_, index))));
    return elements;
  }

 private:
  [[nodiscard]] std::string below(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  [[noreturn]] void refuse(std::string_view expected) const {
    std::string shown = value_->dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > 40) shown = shown.substr(0, 40) + "…";
    throw std::runtime_error(
        fmt::format("{} is {}; it should be {}", path_.empty() ? "the whole" : path_, shown, expected));
  }

  const Json* value_;
  std::string path_;
};

PlanModuleDescription read_module(const Node& node) {
  return {.build_id = node.at("build_id").text(), .path = node.at("path").text()};
}

PlanScopeDescription read_scope(const Node& node) {
  return {.name = node.at("name").text(),
          .first_slot = node.at("first_slot").number<std::uint32_t>(),
          .end_slot = node.at("end_slot").number<std::uint32_t>(),
          .parent = node.at("parent").scope()};
}

PlanSiteDescription read_site(const Node& node) {
  return {.module = node.at("module").number<std::uint32_t>(),
          .offset = node.at("offset").number<std::uint64_t>()};
}

PlanAnchorDescription read_anchor(const Node& node) {
  return {.site = read_site(node),
          .least = node.at("least").number<std::uint64_t>(),
          .most = node.at("most").number<std::uint64_t>(),
          .pass_key = node.at("key").number<std::uint64_t>()};
}

PlanLoopDescription read_loop(const Node& node) {
  return {.first_slot = node.at("first_slot").number<std::uint32_t>(),
          .end_slot = node.at("end_slot").number<std::uint32_t>(),
          .slots = node.at("slots").number<std::uint32_t>(),
          .first_scope = node.at("first_scope").number<std::uint32_t>(),
          .end_scope = node.at("end_scope").number<std::uint32_t>(),
          .scopes = node.at("scopes").number<std::uint32_t>()};
}

// Returns the list, empty where the key is missing: most plans have no anchors and no loops.
template <typename Read>
auto list_if_any(const Node& node, const char* key, Read read) {
  return node.has(key) ? node.at(key).list(read) : std::vector<decltype(read(node))>();
}

SizeFormula read_formula(const Node& node) {
  return {.base = node.at("base").number<std::uint64_t>(),
          .factor = node.at("factor").number<std::uint64_t>(),
          .rounding = node.at("rounding").number<std::uint32_t>(),
          .powers = node.at("powers").numbers<kFormulaNumbers>()};
}

PlanSlotDescription read_slot(const Node& node) {
  return {.site = read_site(node),
          .size = node.at("size").number<std::uint64_t>(),
          .alignment = node.at("alignment").number<std::uint32_t>(),
          .scope = node.at("scope").scope(),
          .freed_at = node.at("freed_at").number<std::uint32_t>(),
          .zone = node.at("zone").zone(),
          .place = node.at("place").number<std::uint64_t>(),
          .cells = node.number_or<std::uint32_t>("cells", 0),
          .spread = node.number_or<std::uint32_t>("spread", 0),
          .formula = node.has("formula") ? read_formula(node.at("formula")) : SizeFormula{}};
}

VaryingSize read_varying(const Node& node) {
  return {.least = node.at("least").number<std::uint64_t>(), .most = node.at("most").number<std::uint64_t>()};
}

ShapeRange read_range(const Node& node) {
  return {.least = node.at("least_bytes").number<std::int64_t>(),
          .most = node.at("most_bytes").number<std::int64_t>(),
          .alone = node.at("highest_alone").number<std::int64_t>(),
          .varying = list_if_any(node, "varying", read_varying)};
}

PlanVariantDescription read_variant(const Node& node) {
  return {.fingerprint = node.at("fingerprint").number<std::uint64_t>(),
          .pass_key = node.at("key").number<std::uint64_t>(),
          .lower_bound = node.at("lower_bound").number<std::uint64_t>(),
          .unplanned = node.at("unplanned").number<std::uint32_t>(),
          .shapes = node.number_or<std::uint32_t>("shapes", 1),
          .warm_up = node.number_or<std::uint32_t>("warm_up", 0),
          .range = node.has("range") ? read_range(node.at("range")) : ShapeRange{},
          .strategy = node.at("strategy").text(),
          .scopes = node.at("scopes").list(read_scope),
          .slots = node.at("slots").list(read_slot),
          .loops = list_if_any(node, "loops", read_loop)};
}

}  // namespace

Json range_to_json(const ShapeRange& range) {
  Json json = {{"least_bytes", range.least}, {"most_bytes", range.most}, {"highest_alone", range.alone}};
  if (!range.varying.empty()) json["varying"] = to_json(range.varying);
  return json;
}

Json plan_to_json(const PlanDescription& plan) {
  Json json = {{"cells", plan.cells}, {"modules", to_json(plan.modules)}, {"variants", Json::array()}};
  for (const PlanVariantDescription& variant : plan.variants)
    json["variants"].push_back(to_json(plan, variant));
  if (!plan.anchors.empty()) json["anchors"] = to_json(plan.anchors);
  return json;
}

PlanDescription plan_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("it is not JSON");
  const Node root(json, "");
  return {.modules = root.at("modules").list(read_module),
          .cells = root.at("cells").list([](const Node& cell) { return cell.number<std::uint64_t>(); }),
          .variants = root.at("variants").list(read_variant),
          .anchors = list_if_any(root, "anchors", read_anchor)};
}

}  // namespace memo::planner
