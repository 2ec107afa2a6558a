# rondo_mpi_test(NAME RANKS COMMAND... [FAILS_WITH REGEX] [ENVIRONMENT VARIABLE=VALUE...]
#                [LAUNCHER OPTION...])
#
# Adds a test that runs the command by mpirun with so many ranks, however few cores there are. With
# FAILS_WITH it has to fail, and to print what the expression says. LAUNCHER: more options of mpirun.
#
# Such tests have the label mpi, and the target mpi_tests builds their programs.
#
# Nothing is added where there is no MPI, or where it can't work: Open MPI synchronizes its threads in
# ways that the thread sanitizer doesn't know.
# More ranks than cores: Open MPI's mpirun has to be told that this is meant, and its ranks that they
# have to give way to each other. MPICH's does what it is told to do.
set(rondo_has_open_mpi FALSE)
set(rondo_mpiexec_flags "")
if(MPIEXEC_EXECUTABLE)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version
    OUTPUT_VARIABLE rondo_mpiexec_version ERROR_VARIABLE rondo_mpiexec_version)
  if(rondo_mpiexec_version MATCHES "Open MPI|OpenRTE")
    set(rondo_has_open_mpi TRUE)
    set(rondo_mpiexec_flags --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
  endif()
endif()
if(NOT TARGET mpi_tests)
  add_custom_target(mpi_tests)
endif()

function(rondo_mpi_test name ranks)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "FAILS_WITH" "ENVIRONMENT;LAUNCHER")
  get_target_property(has_mpi rondo_distributed RONDO_HAS_MPI)
  if(NOT has_mpi OR NOT MPIEXEC_EXECUTABLE OR RONDO_SANITIZE MATCHES "thread")
    return()
  endif()

  list(GET test_UNPARSED_ARGUMENTS 0 program)
  if(TARGET ${program})
    add_dependencies(mpi_tests ${program})
    list(TRANSFORM test_UNPARSED_ARGUMENTS REPLACE "^.+$" $<TARGET_FILE:${program}> AT 0)
  endif()

  # mpirun ends its ranks when it is told to end, but not when it is killed, as ctest would do.
  set(command timeout -k 5 280
    ${MPIEXEC_EXECUTABLE} ${rondo_mpiexec_flags} ${test_LAUNCHER} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
    ${test_UNPARSED_ARGUMENTS})
  if(test_FAILS_WITH)
    string(REPLACE ";" "." test_FAILS_WITH "${test_FAILS_WITH}") # a list would be cut there
    set(command ${PROJECT_SOURCE_DIR}/tests/must_fail ${test_FAILS_WITH} ${command})
  endif()
  add_test(NAME ${name} COMMAND ${command})
  # Few ranks that fail as they should have done so soon; what takes time is mpirun, which then waits.
  set(processors ${ranks})
  if(test_FAILS_WITH AND ranks LESS 3)
    set(processors 1)
  endif()
  # What MPI keeps until the end is no leak of ours.
  set_tests_properties(${name} PROPERTIES
    LABELS mpi
    TIMEOUT 300
    PROCESSORS ${processors}
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1;${test_ENVIRONMENT}")
endfunction()
