target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/as_served.cpp
  ${CMAKE_CURRENT_LIST_DIR}/blocks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_flow.cpp
  ${CMAKE_CURRENT_LIST_DIR}/elf_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/labels.cpp
  ${CMAKE_CURRENT_LIST_DIR}/matching.cpp
  ${CMAKE_CURRENT_LIST_DIR}/measures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/module_map.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pass_answers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pass_count.cpp
  ${CMAKE_CURRENT_LIST_DIR}/reader.cpp
  ${CMAKE_CURRENT_LIST_DIR}/replay.cpp
  ${CMAKE_CURRENT_LIST_DIR}/symbols.cpp
  ${CMAKE_CURRENT_LIST_DIR}/trace_context.cpp)
