# `cmake --install`: an ordinary prefix, with what it takes to build against it: find_package(memomalloc) and
# memomalloc.pc. Everything in it is relative, so the prefix can be moved. The components are those of Package.cmake.
include(CMakePackageConfigHelpers)

# Makes the target that a program which calls the API compiles with. It links nothing: every function is weak.
add_library(memomalloc_api INTERFACE)
target_include_directories(memomalloc_api INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(memomalloc_api PROPERTIES EXPORT_NAME api)
set_target_properties(memomalloc_preload PROPERTIES EXPORT_NAME preload)

set_target_properties(memomalloc_runtime PROPERTIES EXPORT_NAME runtime)

install(TARGETS memomalloc_cli memomalloc_literature RUNTIME COMPONENT command)
install(TARGETS memomalloc_preload EXPORT memomalloc COMPONENT library)
install(TARGETS memomalloc_api memomalloc_runtime EXPORT memomalloc COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/memomalloc TYPE INCLUDE COMPONENT development)
get_target_property(memo_texts memomalloc_texts MEMO_FOLDER)
install(DIRECTORY ${memo_texts}/man/ TYPE MAN COMPONENT command)
install(DIRECTORY ${memo_texts}/bash-completion ${memo_texts}/zsh TYPE DATA COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE ${PROJECT_SOURCE_DIR}/README.md
        TYPE DOC COMPONENT notices)

# What an installation takes, and nothing else: no test, no example.
add_custom_target(installed DEPENDS memomalloc_cli memomalloc_literature memomalloc_preload memomalloc_runtime memomalloc_texts)

set(memo_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/memomalloc)
install(EXPORT memomalloc NAMESPACE memomalloc:: DESTINATION ${memo_package_dir} FILE memomallocTargets.cmake
        COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/package/memomallocConfig.cmake.in
  ${PROJECT_BINARY_DIR}/memomallocConfig.cmake INSTALL_DESTINATION ${memo_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/memomallocConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/memomallocConfig.cmake ${PROJECT_BINARY_DIR}/memomallocConfigVersion.cmake
        DESTINATION ${memo_package_dir} COMPONENT development)

file(RELATIVE_PATH memo_pc_to_prefix
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/memomalloc.pc.in ${PROJECT_BINARY_DIR}/memomalloc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/memomalloc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The Python side, where the command looks for it: beside the library.
set(memo_python_dir ${CMAKE_INSTALL_LIBDIR}/memomalloc/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/preload/python/ DESTINATION ${memo_python_dir} COMPONENT library
        FILES_MATCHING PATTERN *.py)
# Compiled for the machine's Python, since those who start programs may not write there. Sources are compared by their hash,
# so that a package may set all times alike. Another Python compiles for itself; where there is none, nothing is lost.
install(CODE "
  set(folder \"\${CMAKE_INSTALL_PREFIX}/${memo_python_dir}\")
  execute_process(COMMAND python3 -m compileall -q --invalidation-mode checked-hash -d \"\${folder}\" \"\$ENV{DESTDIR}\${folder}\"
    OUTPUT_QUIET ERROR_QUIET)" COMPONENT compiled)
