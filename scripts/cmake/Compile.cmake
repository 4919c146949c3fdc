# How each side of the project is compiled. Link one of:
#   memo_tool_flags   programs and libraries that run on their own: the command, the tests, the examples
#   memo_guest_flags  code that enters somebody else's process: no exceptions, no RTTI, no libstdc++ at link time

add_library(memo_warnings INTERFACE)
target_compile_options(memo_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wformat=2 -Wundef
  -Wimplicit-fallthrough -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>)
option(MEMOMALLOC_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
if(MEMOMALLOC_WERROR)
  target_compile_options(memo_warnings INTERFACE -Werror)
endif()

add_library(memo_sanitizers INTERFACE)
if(MEMOMALLOC_SANITIZE)
  # The instrumented code makes g++ 12 see uninitialised reads in std::optional where there are none.
  target_compile_options(memo_sanitizers INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    -fsanitize=${MEMOMALLOC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(memo_sanitizers INTERFACE -fsanitize=${MEMOMALLOC_SANITIZE})
endif()
# g++ 12 takes the null check of a thread-local's address from the flags of an `add` that the linker turns into a `lea`,
# which sets none. The address sanitizer sees null pointers just as well.
if(MEMOMALLOC_SANITIZE MATCHES undefined)
  target_compile_options(memo_sanitizers INTERFACE -fno-sanitize=null)
endif()
# The readers under test report the branches they take, so that the fuzzer can steer towards new ones.
if(MEMOMALLOC_FUZZ)
  target_compile_options(memo_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()

option(MEMOMALLOC_COVERAGE "Instrument for coverage" OFF)
add_library(memo_coverage INTERFACE)
if(MEMOMALLOC_COVERAGE)
  target_compile_options(memo_coverage INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(memo_coverage INTERFACE --coverage)
endif()

# Includes are written from the project's root ("planner/problem/problem.h"), so that a layer shows in every line.
add_library(memo_layout INTERFACE)
target_include_directories(memo_layout INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(memo_layout INTERFACE MEMOMALLOC_VERSION="${PROJECT_VERSION}")

add_library(memo_tool_flags INTERFACE)
target_link_libraries(memo_tool_flags INTERFACE memo_warnings memo_sanitizers memo_coverage memo_layout)

# Frame pointers stay out and unwind tables in: the host's exceptions and profilers must walk through the guest.
add_library(memo_guest_flags INTERFACE)
target_link_libraries(memo_guest_flags INTERFACE memo_warnings memo_layout)
target_compile_options(memo_guest_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
  -fvisibility=hidden -ftls-model=initial-exec -fasynchronous-unwind-tables -fno-builtin-malloc -fno-builtin-calloc
  -fno-builtin-realloc -fno-builtin-free -fno-plt)

# Compiles these sources without vector registers: hooks run them with the arguments of a caller in those, unsaved
# (preload/boundaries/kept_vectors.h). The x87 stays on x86-64, unused: without it clang refuses the standard headers. Calls
# from file to file stay direct (-fplt), so that what is reached can be followed in the built library.
function(memo_without_vector_registers)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(flags -mno-sse -mno-mmx)
  else()
    set(flags -mgeneral-regs-only)
  endif()
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${flags} -fplt)
endfunction()
