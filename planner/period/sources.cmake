target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/beginnings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/candidates.cpp
  ${CMAKE_CURRENT_LIST_DIR}/choice.cpp
  ${CMAKE_CURRENT_LIST_DIR}/folding.cpp
  ${CMAKE_CURRENT_LIST_DIR}/period.cpp
  ${CMAKE_CURRENT_LIST_DIR}/repeats.cpp
  ${CMAKE_CURRENT_LIST_DIR}/stretches.cpp)
