# Targets `format` (rewrite), `format-check` and `tidy`, with the distribution's clang-format and clang-tidy.
file(GLOB_RECURSE memo_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/runtime/*.[ch]* ${PROJECT_SOURCE_DIR}/preload/*.[ch]* ${PROJECT_SOURCE_DIR}/planner/*.[ch]*
  ${PROJECT_SOURCE_DIR}/examples/*.[ch]* ${PROJECT_SOURCE_DIR}/tests/*.[ch]*)
list(FILTER memo_sources INCLUDE REGEX "\\.(c|cpp|h)$")
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
