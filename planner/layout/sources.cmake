target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/small_cells.cpp)
target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/described_variant.cpp
  ${CMAKE_CURRENT_LIST_DIR}/find_variants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/last_alone.cpp
  ${CMAKE_CURRENT_LIST_DIR}/lists.cpp
  ${CMAKE_CURRENT_LIST_DIR}/make_plan.cpp
  ${CMAKE_CURRENT_LIST_DIR}/partings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_variants.cpp
  ${CMAKE_CURRENT_LIST_DIR}/reserve.cpp
  ${CMAKE_CURRENT_LIST_DIR}/selection.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zones.cpp)
