target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/line.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pace.cpp
  ${CMAKE_CURRENT_LIST_DIR}/words.cpp)
