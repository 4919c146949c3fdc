target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/search_problem.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ranking.cpp
  ${CMAKE_CURRENT_LIST_DIR}/refuted.cpp
  ${CMAKE_CURRENT_LIST_DIR}/packing_state.cpp
  ${CMAKE_CURRENT_LIST_DIR}/canonical_search.cpp
  ${CMAKE_CURRENT_LIST_DIR}/effort.cpp
  ${CMAKE_CURRENT_LIST_DIR}/locality.cpp
  ${CMAKE_CURRENT_LIST_DIR}/portfolio.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parts_solver.cpp
  ${CMAKE_CURRENT_LIST_DIR}/canonical.cpp
  ${CMAKE_CURRENT_LIST_DIR}/automatic.cpp)
