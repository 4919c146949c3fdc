target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/closing_line.cpp
  ${CMAKE_CURRENT_LIST_DIR}/process_tree.cpp
  ${CMAKE_CURRENT_LIST_DIR}/live_pages.cpp
  ${CMAKE_CURRENT_LIST_DIR}/processes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/release_request.cpp)
