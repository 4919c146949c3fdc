target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/cached_plans.cpp
  ${CMAKE_CURRENT_LIST_DIR}/command_name.cpp
  ${CMAKE_CURRENT_LIST_DIR}/diagnosis.cpp
  ${CMAKE_CURRENT_LIST_DIR}/explanations.cpp
  ${CMAKE_CURRENT_LIST_DIR}/claimants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/kept_traces.cpp
  ${CMAKE_CURRENT_LIST_DIR}/learner.cpp
  ${CMAKE_CURRENT_LIST_DIR}/looks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_cache.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_record.cpp
  ${CMAKE_CURRENT_LIST_DIR}/planner_process.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trace_limit.cpp
  ${CMAKE_CURRENT_LIST_DIR}/verdict.cpp
  ${CMAKE_CURRENT_LIST_DIR}/work_folder.cpp)
