# rondo_program_of_page(topologies LIBRARY...): the first program of docs/topologies.md, as it is there, becomes topologies_program, and
# tests run it alone and on 1 to 3 ranks, where it prints the same.
function(rondo_program_of_page name)
  set(page ${PROJECT_SOURCE_DIR}/docs/${name}.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(FIND "${text}" "```cpp\n" begin)
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(program ${name}_program)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "@text@" @ONLY) # written if it is another one
  add_executable(${program} ${source})
  target_link_libraries(${program} PRIVATE ${ARGN})
  target_precompile_headers(${program} REUSE_FROM precompiled_rondo) # that it needs no other headers is seen by the test of the page
  add_test(NAME distributed.${program} COMMAND ${program})
  set_tests_properties(distributed.${program} PROPERTIES TIMEOUT 100 ENVIRONMENT RONDO_TRANSPORT=solo)
  foreach(ranks 1 2 3)
    rondo_mpi_test(distributed.shm.${program}.${ranks} ${ranks} ${program})
  endforeach()
  rondo_mpi_test(distributed.mpi.${program} 3 ${program} ENVIRONMENT RONDO_TRANSPORT=mpi)
  if(TEST distributed.shm.${program}.3)
    add_test(NAME distributed.shm.${program}.same COMMAND ${PROJECT_SOURCE_DIR}/tests/distributed/mpi/same_on_ranks
      "1 2 3" $<TARGET_FILE:${program}> ${MPIEXEC_EXECUTABLE} ${rondo_mpiexec_flags} ${MPIEXEC_NUMPROC_FLAG})
    set_tests_properties(distributed.shm.${program}.same PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 3
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0")
  endif()
endfunction()
