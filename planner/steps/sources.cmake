target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/alignment.cpp
  ${CMAKE_CURRENT_LIST_DIR}/distinct_passes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/new_passes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operator_order.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parallel_scopes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/period_passes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sequences.cpp
  ${CMAKE_CURRENT_LIST_DIR}/thread_steps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/variants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/worker_steps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/worker_variant.cpp)
