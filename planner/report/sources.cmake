target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/numbers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operators.cpp
  ${CMAKE_CURRENT_LIST_DIR}/peak.cpp
  ${CMAKE_CURRENT_LIST_DIR}/perfetto.cpp
  ${CMAKE_CURRENT_LIST_DIR}/served_share.cpp
  ${CMAKE_CURRENT_LIST_DIR}/statistics.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trace_summary.cpp)
