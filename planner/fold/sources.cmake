target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/bodies.cpp
  ${CMAKE_CURRENT_LIST_DIR}/folded.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tree.cpp)
