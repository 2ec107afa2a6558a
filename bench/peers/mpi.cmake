# Programs of their own, started by mpirun, that the benches of programs (see bench_programs in
# CMakeLists.txt) compare with. Without MPI they are left out.

find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "bench: no MPI; the peers of solver, halo, contributions, sparse, hpcg, progress, scale and metg are left out")
  return()
endif()

# bench_mpi_program(NAME SOURCE LIBRARY...): SOURCE is a path from the folder bench.
function(bench_mpi_program name source)
  add_executable(${name} ${source})
  # Of Open MPI's C++ bindings nothing is used.
  target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${name} PRIVATE
    MPI::MPI_CXX bench_program rondo_warnings ${ARGN})
endfunction()

# bench_peer_program(NAME SOURCE LIBRARY...): SOURCE is in this folder.
function(bench_peer_program name source)
  bench_mpi_program(${name} peers/mpi/${source} ${ARGN})
endfunction()

bench_peer_program(peer_mpi_gauss_seidel gauss_seidel.cpp)
if(OpenMP_CXX_FOUND)
  bench_peer_program(peer_mpi_openmp_gauss_seidel gauss_seidel_openmp.cpp OpenMP::OpenMP_CXX)
endif()
bench_peer_program(peer_mpi_conjugate_gradient conjugate_gradient.cpp)
bench_peer_program(peer_mpi_heat heat.cpp)
bench_peer_program(peer_mpi_contributions contributions.cpp)
bench_peer_program(peer_mpi_multigrid multigrid.cpp)
bench_peer_program(peer_mpi_ping_pong ping_pong.cpp)
bench_peer_program(peer_mpi_progress progress.cpp)
bench_peer_program(peer_mpi_weak_scaling weak_scaling.cpp)
bench_peer_program(peer_mpi_metg metg.cpp)
bench_peer_program(peer_mpi_pic pic.cpp)
bench_peer_program(peer_mpi_lennard_jones lennard_jones.cpp)
if(TARGET rondo_meshes) # which cuts their meshes, too
  bench_peer_program(peer_mpi_mesh_heat mesh_heat.cpp rondo::meshes)
  bench_peer_program(peer_mpi_mesh_elastic mesh_elastic.cpp rondo::meshes)
  if(OpenMP_CXX_FOUND)
    bench_peer_program(
      peer_openmp_mesh_elastic mesh_elastic_openmp.cpp rondo::meshes OpenMP::OpenMP_CXX)
  endif()
endif()

find_path(BENCH_ucx_INCLUDE_DIR ucp/api/ucp.h HINTS ${UCX_ROOT} ENV UCX_ROOT PATH_SUFFIXES include)
find_library(BENCH_ucp_LIBRARY ucp HINTS ${UCX_ROOT} ENV UCX_ROOT PATH_SUFFIXES lib)
find_library(BENCH_ucs_LIBRARY ucs HINTS ${UCX_ROOT} ENV UCX_ROOT PATH_SUFFIXES lib)
mark_as_advanced(BENCH_ucx_INCLUDE_DIR BENCH_ucp_LIBRARY BENCH_ucs_LIBRARY)
if(BENCH_ucx_INCLUDE_DIR AND BENCH_ucp_LIBRARY AND BENCH_ucs_LIBRARY)
  bench_peer_program(peer_ucx_ping_pong ping_pong_ucx.cpp ${BENCH_ucp_LIBRARY} ${BENCH_ucs_LIBRARY})
  target_include_directories(peer_ucx_ping_pong SYSTEM PRIVATE ${BENCH_ucx_INCLUDE_DIR})
else()
  message(STATUS "bench: no UCX; its row of halo is left out")
endif()

# HDF5 that was built with this MPI: Debian has one for each.
find_path(BENCH_hdf5_INCLUDE_DIR hdf5.h HINTS ${HDF5_ROOT} PATH_SUFFIXES hdf5/openmpi include)
find_library(BENCH_hdf5_LIBRARY NAMES hdf5_openmpi hdf5 HINTS ${HDF5_ROOT} PATH_SUFFIXES lib)
mark_as_advanced(BENCH_hdf5_INCLUDE_DIR BENCH_hdf5_LIBRARY)
if(BENCH_hdf5_INCLUDE_DIR AND EXISTS ${BENCH_hdf5_INCLUDE_DIR}/H5pubconf.h)
  file(STRINGS ${BENCH_hdf5_INCLUDE_DIR}/H5pubconf.h BENCH_hdf5_is_parallel
    REGEX "define H5_HAVE_PARALLEL 1")
endif()
if(BENCH_hdf5_LIBRARY AND BENCH_hdf5_is_parallel)
  bench_peer_program(peer_mpi_output output.cpp ${BENCH_hdf5_LIBRARY})
  target_include_directories(peer_mpi_output SYSTEM PRIVATE ${BENCH_hdf5_INCLUDE_DIR})
else()
  message(STATUS "bench: no HDF5 with MPI (libhdf5-openmpi-dev); the peers of output are left out")
endif()

include(sparse/programs.cmake)
include(hpcg/programs.cmake)
