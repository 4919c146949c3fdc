target_sources(memo_formats PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/mapped_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/regular_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/whole_file.cpp)
target_sources(memo_planner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/file_owner.cpp
  ${CMAKE_CURRENT_LIST_DIR}/child.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogue.cpp
  ${CMAKE_CURRENT_LIST_DIR}/last_of_all.cpp
  ${CMAKE_CURRENT_LIST_DIR}/machine_facts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mortal_folder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/on_path.cpp
  ${CMAKE_CURRENT_LIST_DIR}/process_start.cpp
  ${CMAKE_CURRENT_LIST_DIR}/program_status.cpp
  ${CMAKE_CURRENT_LIST_DIR}/temporary_folder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/text_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tree.cpp)
