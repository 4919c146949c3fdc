target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/problem.cpp)
target_sources(memo_solver PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/bounds.cpp
  ${CMAKE_CURRENT_LIST_DIR}/csv.cpp
  ${CMAKE_CURRENT_LIST_DIR}/csv_columns.cpp
  ${CMAKE_CURRENT_LIST_DIR}/csv_fields.cpp
  ${CMAKE_CURRENT_LIST_DIR}/csv_rows.cpp
  ${CMAKE_CURRENT_LIST_DIR}/events.cpp
  ${CMAKE_CURRENT_LIST_DIR}/normalise.cpp
  ${CMAKE_CURRENT_LIST_DIR}/soundness.cpp)
