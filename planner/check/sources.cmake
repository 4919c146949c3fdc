target_sources(memo_solver PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/check.cpp)
target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/check_plan.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dry_run.cpp
  ${CMAKE_CURRENT_LIST_DIR}/servable.cpp)
