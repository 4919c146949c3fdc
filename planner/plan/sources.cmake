target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/foreseen.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_need.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_description.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_reader.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_tables.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_writer.cpp)
target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/c_header.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plan_json.cpp)
