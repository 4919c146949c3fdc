# Debian packages by CPack, one for each component of Install.cmake; scripts/package-debian makes them of the preset
# `portable`. The component `notices` is in none of them, since each has its file copyright. The component `compiled` is in
# none either: the package compiles for the Python that it finds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME memomalloc)
set(CPACK_PACKAGE_CONTACT "MemoMalloc maintainers <maintainers@memomalloc.example>")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL library command development documents)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package/debian/finish.cmake)

file(READ NOTICE MEMO_NOTICE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/debian/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)

# memo_debian_package(COMPONENT NAME SECTION CONTENT): what all packages have. Their first line is the project's.
macro(memo_debian_package component name section content)
  string(TOUPPER ${component} memo_key)
  set(CPACK_DEBIAN_${memo_key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${memo_key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${memo_key}_DESCRIPTION
      "A library is preloaded into a server, and a command makes the plan.\nThis package has ${content}.")
  install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
endmacro()

set(memo_same_library "libmemomalloc (= ${PROJECT_VERSION})")
memo_debian_package(library libmemomalloc libs "the library, and what marks passes in Python")
memo_debian_package(command memomalloc utils "the command, which profiles, plans and serves")
memo_debian_package(development libmemomalloc-dev libdevel "what programs are built with that mark their passes")
memo_debian_package(documents memomalloc-doc doc "documents and examples")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${memo_same_library}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${memo_same_library}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "memomalloc, libunwind8")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS memomalloc-doc)
set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_ARCHITECTURE all)
foreach(script postinst prerm triggers)
  list(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/package/debian/${script})
endforeach()

# Lie side by side as in the project, so that their links lead somewhere.
set(memo_documents ${CMAKE_INSTALL_DATADIR}/doc/memomalloc-doc)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${memo_documents} COMPONENT documents EXCLUDE_FROM_ALL)
install(DIRECTORY docs examples DESTINATION ${memo_documents} COMPONENT documents EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE PATTERN node_modules EXCLUDE)

include(CPack)
