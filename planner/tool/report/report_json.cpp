#include "planner/tool/report/report_json.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "planner/plan/plan_json.h"
#include "planner/tool/report/answers.h"
#include "planner/tool/report/columns.h"
#include "planner/tool/report/histogram.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/tool/report/operator_ranking.h"
#include "planner/tool/report/served_verdict.h"
#include "planner/tool/report/statistics_rows.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

// Makes the columns of some elements, each of one number of every element.
template <typename Elements>
auto columns_of(const Elements& elements, Columns columns) {
  return [&elements, columns](auto value) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(elements.size());
    for (const auto& element : elements)
      numbers.push_back(static_cast<std::int64_t>(std::invoke(value, element)));
    return columns == Columns::kPacked ? Json(packed_column(numbers)) : Json(numbers);
  };
}

template <typename Numbers>
Json column(const Numbers& numbers, Columns columns) {
  return columns_of(numbers, columns)(std::identity{});
}

Json buffers_json(const Picture& picture, Columns columns) {
  const auto& buffers = picture.problem.buffers;
  const auto column_of = columns_of(buffers, columns);
  return {{"count", buffers.size()},
          {"begin", column_of([](const Buffer& buffer) { return buffer.life.begin; })},
          {"end", column_of([](const Buffer& buffer) { return buffer.life.end; })},
          {"size", column_of(&Buffer::size)},
          {"alignment", column_of(&Buffer::alignment)},
          {"operator", column(picture.oper, columns)},
          {"site", column(picture.site, columns)}};
}

Json scopes_json(const Picture& picture, Columns columns) {
  const auto column_of = columns_of(picture.scopes, columns);
  return {{"count", picture.scopes.size()},
          {"operator", column_of(&PictureScope::name)},
          {"begin", column_of([](const PictureScope& scope) { return scope.life.begin; })},
          {"end", column_of([](const PictureScope& scope) { return scope.life.end; })},
          {"depth", column_of(&PictureScope::depth)}};
}

Json layout_json(const Layout& layout, Columns columns) {
  Json json = {{"name", layout.name},     {"kind", layout.kind == LayoutKind::kPlan ? "plan" : "heap"},
               {"status", layout.status}, {"height", layout.height},
               {"cells", layout.cells},   {"seconds", layout.seconds},
               {"note", layout.note},     {"offset", column(layout.offsets, columns)}};
  const auto column_of = columns_of(layout.touched, columns);
  if (layout.kind == LayoutKind::kHeap)
    json["touched"] = {{"count", layout.touched.size()},
                       {"at", column_of(&LiveStep::begin)},
                       {"bytes", column_of(&LiveStep::live)}};
  return json;
}

Json peak_json(const Picture& picture) {
  const Peak peak = peak_of(picture.problem);
  return {{"begin", peak.during.begin},
          {"end", peak.during.end},
          {"bytes", peak.bytes},
          {"buffers", peak.buffers.size()},
          {"elsewhere", peak.elsewhere}};
}

Json ranking_json(const Picture& picture) {
  Json list = Json::array();
  for (const RankedOperator& one : rank_operators(picture))
    list.push_back({{"operator", picture.operators.names()[one.oper]},
                    {"buffers", one.buffers},
                    {"bytes", one.bytes},
                    {"at_peak", one.at_peak},
                    {"peak_without", one.peak_without}});
  return list;
}

Json histogram_json(const std::vector<HistogramBar>& bars) {
  Json list = Json::array();
  for (const HistogramBar& bar : bars)
    list.push_back({{"from", bar.from}, {"buffers", bar.buffers}, {"bytes", bar.bytes}});
  return list;
}

Json left_json(const Picture& picture) {
  Json list = Json::array();
  for (const LeftToHeap& row : picture.left_to_heap)
    list.push_back({{"reason", row.reason},
                    {"operator", row.oper},
                    {"site", row.site},
                    {"allocations", row.allocations},
                    {"bytes", row.bytes}});
  return list;
}

Json shapes_json(const ShapesOfStructure& shapes) {
  Json json = {{"count", shapes.shapes}, {"text", describe(shapes)}};
  json.update(range_to_json(shapes.range));
  return json;
}

Json picture_json(const Picture& picture, Columns columns) {
  Json json = {{"title", picture.title},
               {"source", picture.source},
               {"pass", picture.pass_name},
               {"key", fmt::format("{:#x}", picture.key)},
               {"fingerprint", fmt::format("{:016x}", picture.fingerprint)},
               {"runs", picture.runs},
               {"time_unit", picture.time_unit},
               {"bytes_requested", bytes_requested(picture)},
               {"lower_bound", picture.lower_bound},
               {"peak", peak_json(picture)},
               {"unplanned", picture.unplanned},
               {"operators", picture.operators.names()},
               {"sites", picture.sites.names()},
               {"buffers", buffers_json(picture, columns)},
               {"scopes", scopes_json(picture, columns)},
               {"layouts", Json::array()},
               {"ranking", ranking_json(picture)},
               {"sizes", histogram_json(size_histogram(picture.problem))},
               {"lifetimes", histogram_json(lifetime_histogram(picture.problem))},
               {"left_to_heap", left_json(picture)}};
  if (picture.shapes.are_of_structure()) json["shapes"] = shapes_json(picture.shapes);
  for (const Layout& layout : picture.layouts) json["layouts"].push_back(layout_json(layout, columns));
  return json;
}

Json sample_json(const ServedSample& sample) {
  Json json = Json::object();
  for (const auto& [key, value] : sample.figures) json[key] = value;
  json["fallback"] = sample.fallback;
  json["plan"] = sample.plan;
  return json;
}

Json served_json(const ServedRun& run) {
  const ServedVerdict verdict = verdict_of(run.last());
  Json json = {{"name", run.name},
               {"verdict", verdict.sentence},
               {"advice", verdict.advice},
               {"share", run.last().judged().share()},
               {"share_of_bytes", run.last().judged().share_of_bytes()},
               {"steady", run.last().is_steady()},
               {"samples", Json::array()}};
  for (const ServedSample& sample : run.samples) json["samples"].push_back(sample_json(sample));
  return json;
}

Json ratios_json(const MeasuredAllocator& allocator) {
  Json json = Json::object();
  for (const auto& [name, ratio] : allocator.ratios) {
    json[name] = {{"value", ratio.value}};
    if (ratio.bounded) json[name].update({{"low", ratio.low}, {"high", ratio.high}});
  }
  return json;
}

Json memory_json(const MeasuredAllocator& allocator) {
  Json json = Json::array();
  for (const compare::MemoryPoint& point : allocator.memory) json.push_back({point.seconds, point.bytes});
  return json;
}

// Returns the meaning of each figure. The page includes the meanings, since a reader may have nothing but the
// page.
Json meanings_json() {
  Json json = Json::object();
  for (const StatisticsRow& row : kStatisticsRows) json[std::string(row.key)] = row.means;
  return json;
}

Json measured_json(const Measured& measured) {
  Json json = {{"name", measured.name},       {"command", measured.command},
               {"runs", measured.runs},       {"speed_figure", measured.speed_figure},
               {"machine", measured.machine}, {"allocators", Json::array()},
               {"plane", Json::array()}};
  for (const compare::Standing& standing : measured.standings)
    json["plane"].push_back({{"name", standing.name},
                             {"speed", standing.speed},
                             {"bytes", standing.bytes},
                             {"on_front", standing.on_front}});
  for (const MeasuredAllocator& allocator : measured.allocators) {
    Json figures = Json::object();
    for (const auto& [name, spread] : allocator.figures)
      figures[name] = {{"median", spread.median}, {"least", spread.least}, {"greatest", spread.greatest}};
    json["allocators"].push_back({{"name", allocator.name},
                                  {"figures", std::move(figures)},
                                  {"ratios", ratios_json(allocator)},
                                  {"memory", memory_json(allocator)}});
  }
  return json;
}

// The parent of a path of one name is the path itself.
Json flame_json(const Flame& flame, Columns columns) {
  const std::vector<CallNode>& nodes = flame.tree.nodes();
  const auto column_of = columns_of(nodes, columns);
  std::vector<std::uint32_t> parents;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    parents.push_back(nodes[i].parent == CallNode::kNoParent ? i : nodes[i].parent);
  return {{"paths", flame.paths},
          {"counted", flame.counted},
          {"passes", flame.passes},
          {"names", flame.tree.names()},
          {"count", nodes.size()},
          {"name", column_of(&CallNode::name)},
          {"parent", column(parents, columns)},
          {"allocations", column_of(&CallNode::allocations)},
          {"bytes", column_of(&CallNode::bytes)}};
}

Json flames_json(const Flames& flames, Columns columns) {
  Json json = {{"source", flames.source}, {"graphs", Json::array()}};
  for (const Flame& flame : flames.graphs) json["graphs"].push_back(flame_json(flame, columns));
  return json;
}

Json answers_json(const Report& report) {
  Json list = Json::array();
  for (const Answer& answer : answers_of(report))
    list.push_back({{"question", answer.question}, {"text", answer.text}});
  return list;
}

Json value_json(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

Json change_json(const ChangedFigure& row) {
  constexpr const char* kUnits[] = {"count", "bytes", "share"};
  return {{"name", row.name},
          {"unit", kUnits[static_cast<std::size_t>(row.unit)]},
          {"before", value_json(row.before)},
          {"after", value_json(row.after)},
          {"change", change_text(row)}};
}

Json differences_json(const Differences& differences) {
  Json json = {{"sentences", differences.sentences}, {"tables", Json::array()}};
  for (const ChangeTable& table : differences.tables) {
    Json rows = Json::array();
    for (const ChangedFigure& row : table.rows) rows.push_back(change_json(row));
    json["tables"].push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  return json;
}

}  // namespace

Json flow_json(const FlowGraph& graph) {
  Json nodes = Json::array();
  for (const FlowNode& node : graph.nodes)
    nodes.push_back({{"name", node.name},
                     {"place", node.place},
                     {"level", node.level},
                     {"outside", node.outside},
                     {"written", node.written}});
  Json edges = Json::array();
  for (const FlowEdge& edge : graph.edges)
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"bytes", edge.size}});
  return {{"source", graph.source},
          {"pass", graph.pass},
          {"operators", std::move(nodes)},
          {"edges", std::move(edges)}};
}

Json report_json(const Report& report, Columns columns) {
  Json json = {{"generator", "memomalloc " MEMOMALLOC_VERSION},
               {"title", report.title},
               {"sources", Json::array()},
               {"notes", report.notes},
               {"answers", answers_json(report)},
               {"pictures", Json::array()},
               {"flames", Json::array()},
               {"flows", Json::array()},
               {"served", Json::array()},
               {"meanings", meanings_json()},
               {"measured", Json::array()}};
  for (const ReportSource& source : report.sources)
    json["sources"].push_back({{"path", source.path}, {"kind", source.kind}});
  for (const Picture& picture : report.pictures) json["pictures"].push_back(picture_json(picture, columns));
  for (const Flames& flames : report.flames) json["flames"].push_back(flames_json(flames, columns));
  for (const FlowGraph& graph : report.flows) json["flows"].push_back(flow_json(graph));
  for (const ServedRun& run : report.served) json["served"].push_back(served_json(run));
  for (const Measured& measured : report.measured) json["measured"].push_back(measured_json(measured));
  if (report.differences) json["differences"] = differences_json(*report.differences);
  return json;
}

}  // namespace memo::planner
