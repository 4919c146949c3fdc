target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/numbers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/plain.cpp)
