# Programs of their own, started by mpirun, that the benches of programs (see bench_programs in
# CMakeLists.txt) compare with. Without MPI they are left out.

find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "bench: no MPI; the peers of solver, halo and scale are left out")
  return()
endif()

# bench_peer_program(NAME SOURCE LIBRARY...)
function(bench_peer_program name source)
  add_executable(${name} peers/mpi/${source})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  # Of Open MPI's C++ bindings nothing is used.
  target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${name} PRIVATE
    MPI::MPI_CXX CLI11::CLI11 nlohmann_json::nlohmann_json rondo_warnings ${ARGN})
endfunction()

bench_peer_program(peer_mpi_gauss_seidel gauss_seidel.cpp)
if(OpenMP_CXX_FOUND)
  bench_peer_program(peer_mpi_openmp_gauss_seidel gauss_seidel_openmp.cpp OpenMP::OpenMP_CXX)
endif()
