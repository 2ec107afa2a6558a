# find_package(rondo) for those who use an installed Rondo.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)

get_target_property(rondo_has_mpi rondo_distributed RONDO_HAS_MPI)
get_target_property(rondo_has_ucx rondo_distributed RONDO_HAS_UCX)
get_target_property(rondo_has_hdf5 rondo_distributed RONDO_HAS_HDF5)
get_target_property(rondo_has_png rondo_distributed RONDO_HAS_PNG)
get_target_property(rondo_has_metis rondo_meshes RONDO_HAS_METIS)
get_target_property(rondo_has_scotch rondo_meshes RONDO_HAS_SCOTCH)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/rondoConfig.cmake.in ${PROJECT_BINARY_DIR}/rondoConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/rondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(EXPORT rondoTargets NAMESPACE rondo:: DESTINATION ${package_dir})
# These travel along: a static library hands its private dependences to what links it.
install(FILES
  ${PROJECT_BINARY_DIR}/rondoConfig.cmake
  ${PROJECT_BINARY_DIR}/rondoConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/Findhwloc.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindUCX.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindScotch.cmake
  DESTINATION ${package_dir})
