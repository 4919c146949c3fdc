target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/families.cpp
  ${CMAKE_CURRENT_LIST_DIR}/scaling.cpp
  ${CMAKE_CURRENT_LIST_DIR}/size_formulas.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure_sizes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/varying_sizes.cpp)
