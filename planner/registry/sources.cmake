target_sources(memo_solver PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/registry.cpp)
