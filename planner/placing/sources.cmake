target_sources(memo_solver PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/conflicts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/contention.cpp
  ${CMAKE_CURRENT_LIST_DIR}/occupancy.cpp
  ${CMAKE_CURRENT_LIST_DIR}/outcome.cpp
  ${CMAKE_CURRENT_LIST_DIR}/placed_buffers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/placement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/squeeze.cpp)
