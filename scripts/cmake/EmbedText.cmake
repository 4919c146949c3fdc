# memo_embed_text(TARGET NAMESPACE HEADER (NAME files…)…): compiles text files into the target, each NAME a
# std::string_view of its files one behind the other, declared in HEADER. A word that begins with k is a NAME.
#
# The same file, run as a script with -P, writes the source when one of the texts has changed.
if(CMAKE_SCRIPT_MODE_FILE)
  set(source "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
  set(open FALSE)
  foreach(word IN LISTS WORDS)
    if(word MATCHES "^k[A-Z]")
      if(open)
        string(APPEND source ";\n")
      endif()
      string(APPEND source "\nconst std::string_view ${word} =")
      set(open TRUE)
    else()
      file(READ ${word} text)
      string(APPEND source "\n    R\"embedded(${text})embedded\"")
    endif()
  endforeach()
  file(WRITE ${OUTPUT} "${source};\n\n}  // namespace ${NAMESPACE}\n")
  return()
endif()

set(memo_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(memo_embed_text target namespace header)
  string(MAKE_C_IDENTIFIER "${namespace}" name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(files ${ARGN})
  list(FILTER files EXCLUDE REGEX "^k[A-Z]")
  add_custom_command(OUTPUT ${output} DEPENDS ${files} ${memo_embed_script}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${namespace} -DHEADER=${header} "-DWORDS=${ARGN}"
            -P ${memo_embed_script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
