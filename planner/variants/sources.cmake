target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/small_cells.cpp)
target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/alignment.cpp
  ${CMAKE_CURRENT_LIST_DIR}/described_variant.cpp
  ${CMAKE_CURRENT_LIST_DIR}/families.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loop_bodies.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loop_growth.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loop_lives.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loop_runs.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loop_unrolling.cpp
  ${CMAKE_CURRENT_LIST_DIR}/loops.cpp
  ${CMAKE_CURRENT_LIST_DIR}/new_passes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parallel_scopes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/partings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/period_passes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/period_search.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_variants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/rolled.cpp
  ${CMAKE_CURRENT_LIST_DIR}/selection.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure_lives.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure_parts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/thread_steps.cpp
  ${CMAKE_CURRENT_LIST_DIR}/variants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/worker_variant.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zones.cpp)
