# memo_jemalloc: the distribution's jemalloc as a static library under private names, so that it can live in a process
# whose malloc is ours. Its C++ operators are left out: they would pull in libstdc++, and ours know the routes.
find_library(MEMO_JEMALLOC_ARCHIVE libjemalloc_pic.a REQUIRED)
set(memo_jemalloc_names ${PROJECT_SOURCE_DIR}/preload/heap/jemalloc.rename)
set(memo_jemalloc_private ${CMAKE_CURRENT_BINARY_DIR}/libmemo_jemalloc.a)

# The object that holds its thread-local state is joined with tsd_placement.S, which says where in a cache line it begins.
add_library(memo_tsd_placement OBJECT ${PROJECT_SOURCE_DIR}/preload/heap/tsd_placement.S)
set(memo_jemalloc_tsd tsd.pic.o)

add_custom_command(
  OUTPUT ${memo_jemalloc_private}
  COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${memo_jemalloc_names} ${MEMO_JEMALLOC_ARCHIVE} ${memo_jemalloc_private}
  COMMAND ${CMAKE_AR} d ${memo_jemalloc_private} jemalloc_cpp.pic.o
  COMMAND ${CMAKE_AR} x ${memo_jemalloc_private} ${memo_jemalloc_tsd}
  COMMAND ${CMAKE_LINKER} -r $<TARGET_OBJECTS:memo_tsd_placement> ${memo_jemalloc_tsd} -o ${memo_jemalloc_tsd}.placed
  COMMAND ${CMAKE_COMMAND} -E rename ${memo_jemalloc_tsd}.placed ${memo_jemalloc_tsd}
  COMMAND ${CMAKE_AR} r ${memo_jemalloc_private} ${memo_jemalloc_tsd}
  COMMAND ${CMAKE_COMMAND} -E rm ${memo_jemalloc_tsd}
  DEPENDS ${MEMO_JEMALLOC_ARCHIVE} ${memo_jemalloc_names} memo_tsd_placement $<TARGET_OBJECTS:memo_tsd_placement>
  COMMAND_EXPAND_LISTS
  COMMENT "Giving jemalloc private names"
  VERBATIM)
add_custom_target(memo_jemalloc_archive DEPENDS ${memo_jemalloc_private})

add_library(memo_jemalloc STATIC IMPORTED)
set_target_properties(memo_jemalloc PROPERTIES IMPORTED_LOCATION ${memo_jemalloc_private})
add_dependencies(memo_jemalloc memo_jemalloc_archive)
