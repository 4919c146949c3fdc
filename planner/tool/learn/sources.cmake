target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/kept_traces.cpp
  ${CMAKE_CURRENT_LIST_DIR}/learner.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_cache.cpp)
