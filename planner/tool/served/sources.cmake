target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/served.cpp
  ${CMAKE_CURRENT_LIST_DIR}/statistics_file.cpp)
