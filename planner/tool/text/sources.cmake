target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/numbers.cpp)
