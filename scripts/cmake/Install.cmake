# `cmake --install`: an ordinary prefix. Grows with the targets it installs.
install(TARGETS memomalloc_cli RUNTIME)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE ${PROJECT_SOURCE_DIR}/README.md
        TYPE DOC)
