target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/growth.cpp
  ${CMAKE_CURRENT_LIST_DIR}/lives.cpp
  ${CMAKE_CURRENT_LIST_DIR}/unrolled.cpp)
