target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/found_worth.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pass_memory.cpp
  ${CMAKE_CURRENT_LIST_DIR}/served.cpp
  ${CMAKE_CURRENT_LIST_DIR}/statistics_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/worth.cpp)
