target_sources(memo_tool PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/asking.cpp
  ${CMAKE_CURRENT_LIST_DIR}/exchange.cpp)
target_sources(memomalloc_literature PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
