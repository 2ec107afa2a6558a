# What the parts of Rondo (core, futures, tracing, ...) have in common.

# Warnings for our own targets; never handed on to users.
#
# -Wconversion is left out: index arithmetic between signed and unsigned is everywhere in a
# scheduler, and casts that only silence it hide the few that matter. With RONDO_UNITY, -Wshadow would tell of names of
# other files, which a file by itself does not see.
add_library(rondo_warnings INTERFACE)
target_compile_options(rondo_warnings INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Wundef -Wcast-align -Wcast-qual -Wextra-semi
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wunused
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wsuggest-override>
  $<$<CXX_COMPILER_ID:Clang>:-Winconsistent-missing-override -Wrange-loop-analysis>
  $<$<BOOL:${RONDO_WERROR}>:-Werror>)

# rondo_part(core)
#
# Makes the static library rondo_core (alias and installed name rondo::core) of
# core/src/*.cpp, with the public headers core/include/rondo/**.hpp.
#
# rondo_part(distributed OPTIONAL mpi ucx) leaves out what is in distributed/src/mpi and
# distributed/src/ucx; rondo_option_of_part(distributed mpi LIBRARY...) adds one of them, and what it
# needs.
function(rondo_part name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "" "OPTIONAL")
  set(target rondo_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  foreach(folder IN LISTS part_OPTIONAL)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/src/${folder}/")
  endforeach()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp)

  add_library(${target} STATIC ${sources})
  add_library(rondo::${name} ALIAS ${target})
  # Not position independent by default: in a shared library every look at a thread-local
  # variable is a function call. Projects that need it set CMAKE_POSITION_INDEPENDENT_CODE.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} CXX_EXTENSIONS OFF
    UNITY_BUILD ${RONDO_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:rondo_warnings>)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_sources(${target} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR}/include FILES ${headers})

  if(RONDO_INSTALL)
    install(TARGETS ${target} EXPORT rondoTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endfunction()

function(rondo_option_of_part name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/${folder}/*.cpp)
  target_sources(rondo_${name} PRIVATE ${sources})
  target_link_libraries(rondo_${name} PRIVATE ${ARGN})
endfunction()
