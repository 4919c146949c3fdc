target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/caches.cpp
  ${CMAKE_CURRENT_LIST_DIR}/hooks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/kept_bytes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/machine.cpp
  ${CMAKE_CURRENT_LIST_DIR}/own_planners.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_fit.cpp
  ${CMAKE_CURRENT_LIST_DIR}/program.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trial.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trial_findings.cpp)
