#include "planner/tool/cli/order_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::human_bytes;

constexpr std::size_t kOperatorsShown = 40;

// Returns the first place at which the order differs from the recorded one.
std::size_t first_moved(const planner::OrderAdvice& advice) {
  std::size_t place = 0;
  while (place < advice.order.size() && advice.order[place] == place) ++place;
  return place;
}

}  // namespace

std::string describe(const planner::FlowGraph& graph, const planner::OrderAdvice& advice) {
  if (advice.recorded == advice.least && advice.neediest < graph.nodes.size())
    return fmt::format(
        "order: no order of the {} operators of pass {} has a lower peak than {}, which operator {} alone needs ({})\n",
        graph.nodes.size(), graph.pass, human_bytes(advice.recorded), advice.neediest,
        graph.nodes[advice.neediest].name);
  if (advice.advised == advice.recorded)
    return fmt::format(
        "order: no other order of the {} operators of pass {} was found with a lower peak than {}\n",
        graph.nodes.size(), graph.pass, human_bytes(advice.recorded));
  std::string text = fmt::format(
      "order: the {} operators of pass {} have a peak of {}, and {} in this order ({:.1f} % less)\n",
      graph.nodes.size(), graph.pass, human_bytes(advice.recorded), human_bytes(advice.advised),
      100 * static_cast<double>(advice.recorded - advice.advised) / static_cast<double>(advice.recorded));
  const std::size_t first = first_moved(advice);
  const std::size_t end = std::min(advice.order.size(), first + kOperatorsShown);
  if (first > 0) text += fmt::format("  the first {} as they are, then\n", first);
  for (std::size_t place = first; place < end; ++place) {
    const planner::FlowNode& node = graph.nodes[advice.order[place]];
    text += fmt::format("  {:>6}  {}{}{}\n", advice.order[place], node.name, node.place.empty() ? "" : "  ",
                        node.place);
  }
  if (end < advice.order.size()) text += fmt::format("  and {} more\n", advice.order.size() - end);
  return text;
}

}  // namespace memo::cli
