target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/allocators.cpp
  ${CMAKE_CURRENT_LIST_DIR}/axes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/chart.cpp
  ${CMAKE_CURRENT_LIST_DIR}/comparison.cpp
  ${CMAKE_CURRENT_LIST_DIR}/front.cpp
  ${CMAKE_CURRENT_LIST_DIR}/heap_locks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_turn.cpp
  ${CMAKE_CURRENT_LIST_DIR}/jemalloc_statistics.cpp
  ${CMAKE_CURRENT_LIST_DIR}/machine.cpp
  ${CMAKE_CURRENT_LIST_DIR}/measured_run.cpp
  ${CMAKE_CURRENT_LIST_DIR}/named_library.cpp
  ${CMAKE_CURRENT_LIST_DIR}/printed_figures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/resident.cpp
  ${CMAKE_CURRENT_LIST_DIR}/statistics.cpp)
