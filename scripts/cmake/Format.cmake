# Targets `format` (rewrite), `format-check` and `tidy`, with the distribution's clang-format and clang-tidy.
set(memo_sources)
foreach(folder runtime preload planner examples tests)
  # Whole endings: what Python leaves beside its modules is no source, and must not make CMake configure anew.
  file(GLOB_RECURSE found CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/${folder}/*.c ${PROJECT_SOURCE_DIR}/${folder}/*.cpp ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  list(APPEND memo_sources ${found})
endforeach()
find_program(CLANG_FORMAT clang-format)
find_program(RUN_CLANG_TIDY run-clang-tidy)
if(CLANG_FORMAT)
  add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${memo_sources})
  add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run --Werror ${memo_sources})
endif()
if(RUN_CLANG_TIDY)
  add_custom_target(tidy COMMAND ${RUN_CLANG_TIDY} -quiet -p ${CMAKE_BINARY_DIR}
                    "${PROJECT_SOURCE_DIR}/(runtime|preload|planner|examples)/.*[.]cpp$" VERBATIM)
endif()
