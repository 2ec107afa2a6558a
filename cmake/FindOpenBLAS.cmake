# OpenBLAS has a CMake package, but not everywhere, and Debian's names the folder of one variant only.
# The variant with threads of its own is looked for first: it can be compared with. The one of OpenMP
# comes last: in tasks, outside of OpenMP's regions, it starts a team for each worker. Defines
# OpenBLAS::OpenBLAS.

find_path(OpenBLAS_INCLUDE_DIR cblas.h
  HINTS ${OpenBLAS_ROOT} ENV OpenBLAS_ROOT
  PATH_SUFFIXES openblas-pthread openblas-serial openblas include/openblas include)
find_library(OpenBLAS_LIBRARY NAMES openblasp openblas
  HINTS ${OpenBLAS_ROOT} ENV OpenBLAS_ROOT
  PATH_SUFFIXES openblas-pthread openblas-serial lib)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION ${OpenBLAS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()
