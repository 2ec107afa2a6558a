# The programs of `sparse`: by hand, and PETSc where it is found and was built with the same MPI.

bench_mpi_program(peer_mpi_sparse_cg sparse/by_hand_cg.cpp)

find_path(BENCH_petsc_INCLUDE_DIR petscksp.h
  HINTS ${PETSC_ROOT} ENV PETSC_ROOT PATH_SUFFIXES petsc include)
find_library(BENCH_petsc_LIBRARY NAMES petsc petsc_real
  HINTS ${PETSC_ROOT} ENV PETSC_ROOT PATH_SUFFIXES lib)
mark_as_advanced(BENCH_petsc_INCLUDE_DIR BENCH_petsc_LIBRARY)
if(BENCH_petsc_INCLUDE_DIR AND BENCH_petsc_LIBRARY)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${BENCH_petsc_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${BENCH_petsc_LIBRARY} MPI::MPI_CXX)
  # PETSc's headers refuse another MPI than theirs.
  check_cxx_source_compiles("
    #include <petscksp.h>
    #ifdef PETSC_USE_COMPLEX
    #error not of real numbers
    #endif
    int main() { return PetscInitializeNoArguments(); }" BENCH_petsc_IS_USABLE)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(BENCH_petsc_IS_USABLE)
  bench_mpi_program(peer_petsc_sparse_cg sparse/petsc_cg.cpp ${BENCH_petsc_LIBRARY})
  target_include_directories(peer_petsc_sparse_cg SYSTEM PRIVATE ${BENCH_petsc_INCLUDE_DIR})
else()
  message(STATUS "bench: no PETSc with this MPI and real numbers (petsc-dev, or set PETSC_ROOT); its row of sparse is left out")
endif()
