# Scotch 7 comes without a CMake package in some distributions. Defines Scotch::scotch.

find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
find_library(Scotch_LIBRARY scotch)
find_library(Scotch_ERROR_LIBRARY scotcherr)
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY Scotch_ERROR_LIBRARY)
if(Scotch_INCLUDE_DIR)
  file(STRINGS ${Scotch_INCLUDE_DIR}/scotch.h version REGEX "#define SCOTCH_VERSION +[0-9]+")
  string(REGEX REPLACE "[^0-9]" "" Scotch_VERSION "${version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch REQUIRED_VARS Scotch_LIBRARY Scotch_ERROR_LIBRARY Scotch_INCLUDE_DIR
  VERSION_VAR Scotch_VERSION)

if(Scotch_FOUND AND NOT TARGET Scotch::scotch)
  add_library(Scotch::scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch::scotch PROPERTIES
    IMPORTED_LOCATION ${Scotch_LIBRARY}
    INTERFACE_LINK_LIBRARIES ${Scotch_ERROR_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Scotch_INCLUDE_DIR})
endif()
