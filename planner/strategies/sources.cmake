target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/registry.cpp
  ${CMAKE_CURRENT_LIST_DIR}/outcome.cpp
  ${CMAKE_CURRENT_LIST_DIR}/placement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bump.cpp
  ${CMAKE_CURRENT_LIST_DIR}/greedy_size.cpp
  ${CMAKE_CURRENT_LIST_DIR}/occupancy.cpp
  ${CMAKE_CURRENT_LIST_DIR}/squeeze.cpp
  ${CMAKE_CURRENT_LIST_DIR}/gergov.cpp
  ${CMAKE_CURRENT_LIST_DIR}/nnc.cpp
  ${CMAKE_CURRENT_LIST_DIR}/conflicts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mincost_flow.cpp
  ${CMAKE_CURRENT_LIST_DIR}/hill_climb.cpp)
