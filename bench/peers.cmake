# Sets BENCH_PEERS to the runtimes found here; each has an interface target bench_peer_<name>.
# Peers that no distribution carries are header-only: point <Name>_ROOT at a checkout or a prefix.

set(BENCH_PEERS)

macro(bench_peer name)
  add_library(bench_peer_${name} INTERFACE)
  target_link_libraries(bench_peer_${name} INTERFACE ${ARGN})
  list(APPEND BENCH_PEERS ${name})
endmacro()

# bench_header_peer(name header root-variable): includes are SYSTEM, their warnings are not ours.
macro(bench_header_peer name header root)
  find_path(BENCH_${name}_INCLUDE_DIR ${header} HINTS ${${root}} ENV ${root} PATH_SUFFIXES include)
  mark_as_advanced(BENCH_${name}_INCLUDE_DIR)
  if(BENCH_${name}_INCLUDE_DIR)
    bench_peer(${name} Threads::Threads)
    target_include_directories(bench_peer_${name} SYSTEM INTERFACE ${BENCH_${name}_INCLUDE_DIR})
  else()
    message(STATUS "bench: no ${name} (set ${root} to its folder); its rows are left out")
  endif()
endmacro()

bench_peer(std Threads::Threads) # what every compiler brings: std::async, std::promise, std::future

find_package(OpenMP QUIET COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
  bench_peer(openmp OpenMP::OpenMP_CXX)
else()
  message(STATUS "bench: the compiler has no OpenMP; its rows are left out")
endif()

find_package(TBB QUIET)
if(TBB_FOUND)
  bench_peer(tbb TBB::tbb)
else()
  message(STATUS "bench: no oneTBB; its rows are left out")
endif()

find_package(boost_fiber QUIET CONFIG)
if(TARGET Boost::fiber)
  bench_peer(boostfiber Boost::fiber)
else()
  message(STATUS "bench: no Boost.Fiber; its rows are left out")
endif()

find_package(OpenBLAS QUIET MODULE)
if(OpenBLAS_FOUND)
  bench_peer(openblas OpenBLAS::OpenBLAS)
else()
  message(STATUS "bench: no OpenBLAS; bench_cholesky is left out")
endif()

find_path(BENCH_starpu_INCLUDE_DIR starpu.h
  HINTS ${STARPU_ROOT} ENV STARPU_ROOT PATH_SUFFIXES include/starpu/1.4 include/starpu/1.3 starpu/1.4 starpu/1.3)
find_library(BENCH_starpu_LIBRARY NAMES starpu-1.4 starpu-1.3
  HINTS ${STARPU_ROOT} ENV STARPU_ROOT PATH_SUFFIXES lib)
mark_as_advanced(BENCH_starpu_INCLUDE_DIR BENCH_starpu_LIBRARY)
if(BENCH_starpu_INCLUDE_DIR AND BENCH_starpu_LIBRARY)
  bench_peer(starpu ${BENCH_starpu_LIBRARY} Threads::Threads)
  target_include_directories(bench_peer_starpu SYSTEM INTERFACE ${BENCH_starpu_INCLUDE_DIR})
else()
  message(STATUS "bench: no StarPU; its rows are left out")
endif()

bench_header_peer(taskflow taskflow/taskflow.hpp Taskflow_ROOT)
if(TARGET bench_peer_taskflow AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees an index past an array of one in its partitioner; inlining lifts that out of SYSTEM.
  target_compile_options(bench_peer_taskflow INTERFACE -Wno-array-bounds)
endif()
bench_header_peer(libfork libfork.hpp LIBFORK_ROOT)
bench_header_peer(citor citor/thread_pool.h CITOR_ROOT)
bench_header_peer(scheduling scheduling/scheduling.hpp SCHEDULING_ROOT)
bench_header_peer(superglue sg/superglue.hpp SUPERGLUE_ROOT)
if(TARGET bench_peer_superglue)
  # It does its work inside of assert().
  target_compile_options(bench_peer_superglue INTERFACE -UNDEBUG)
endif()

list(JOIN BENCH_PEERS " " peers)
message(STATUS "bench: peers: ${peers}")
