target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/answers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/call_sites.cpp
  ${CMAKE_CURRENT_LIST_DIR}/call_tree.cpp
  ${CMAKE_CURRENT_LIST_DIR}/changes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/columns.cpp
  ${CMAKE_CURRENT_LIST_DIR}/counted.cpp
  ${CMAKE_CURRENT_LIST_DIR}/differences.cpp
  ${CMAKE_CURRENT_LIST_DIR}/flames.cpp
  ${CMAKE_CURRENT_LIST_DIR}/flow_graph.cpp
  ${CMAKE_CURRENT_LIST_DIR}/histogram.cpp
  ${CMAKE_CURRENT_LIST_DIR}/instance_pictures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/live_bytes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/measured.cpp
  ${CMAKE_CURRENT_LIST_DIR}/measured_verdict.cpp
  ${CMAKE_CURRENT_LIST_DIR}/name_table.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operator_paths.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operator_ranking.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operators.cpp
  ${CMAKE_CURRENT_LIST_DIR}/perfetto.cpp
  ${CMAKE_CURRENT_LIST_DIR}/picture.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_differences.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_pictures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/report_json.cpp
  ${CMAKE_CURRENT_LIST_DIR}/report_page.cpp
  ${CMAKE_CURRENT_LIST_DIR}/served_run.cpp
  ${CMAKE_CURRENT_LIST_DIR}/served_verdict.cpp
  ${CMAKE_CURRENT_LIST_DIR}/shapes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/statistics.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trace_pictures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trace_summary.cpp)

# The page of `memomalloc report`. The script is one file for each idea, run in this order in one scope.
include(EmbedText)
set(page ${CMAKE_CURRENT_LIST_DIR}/page)
memo_embed_text(memo_tool memo::planner::page planner/tool/report/page_parts.h
  kMarkup ${page}/page.html
  kStyle ${page}/page.css
  kScript
    ${page}/data.js
    ${page}/format.js
    ${page}/palette.js
    ${page}/elements.js
    ${page}/viewport.js
    ${page}/map_painter.js
    ${page}/live_chart.js
    ${page}/stage.js
    ${page}/address.js
    ${page}/save.js
    ${page}/charts.js
    ${page}/tables.js
    ${page}/flame.js
    ${page}/flow.js
    ${page}/layouts.js
    ${page}/answers.js
    ${page}/served.js
    ${page}/measured.js
    ${page}/theme.js
    ${page}/main.js)
