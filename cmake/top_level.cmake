# Settings that are ours to make only when nobody includes us: build type, compiler cache,
# processor, sanitizers.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo, Debug" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(RONDO_CCACHE ccache DOC "Compiler cache, used if found")
mark_as_advanced(RONDO_CCACHE)
if(RONDO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What it has to be told so that it remembers files with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RONDO_CCACHE})
endif()

if(RONDO_NATIVE)
  add_compile_options(-march=native)
endif()

# Sanitizers hold for everything in the build or for nothing: half-instrumented programs
# report races that are none, and miss those that are some.
if(RONDO_SANITIZE)
  add_compile_options(-fsanitize=${RONDO_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RONDO_SANITIZE})
  # Programs with sanitizers are large, and lld links them in a sixth of the time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld RONDO_HAS_LLD)
  if(RONDO_HAS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
  if(RONDO_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Otherwise every fiber that has run a while gets another stack of 11 MiB. The same as g++ does.
    add_compile_options(-fsanitize-address-use-after-return=never)
  endif()
  if(RONDO_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()

  # How tests, examples and tools are compiled. Compilers spend most of their time on optimizing what sanitizers have added to
  # templates, and a sixth on the lines of these. Rondo's own sources are optimized in all presets, and have lines.
  #
  # Of undefined behaviour, programs look in Rondo's headers for all but these two, which take compilers as long as all the rest.
  # The address sanitizer reports null pointers as well, and Rondo's own sources are checked for both.
  option(RONDO_LINES "With sanitizers: reports name lines of tests, examples and tools as well as of Rondo" OFF)
  set(rondo_options_of_programs -O0)
  if(NOT RONDO_LINES)
    list(APPEND rondo_options_of_programs -g0)
  endif()
  if(RONDO_SANITIZE MATCHES "undefined")
    list(APPEND rondo_options_of_programs -fno-sanitize=null,alignment)
  endif()
endif()
