target_sources(memo_formats PRIVATE ${CMAKE_CURRENT_LIST_DIR}/elf_file.cpp)
