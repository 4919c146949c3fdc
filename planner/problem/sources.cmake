target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/problem.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bounds.cpp)
