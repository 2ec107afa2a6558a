# UCX brings a CMake package along only in some distributions. Defines UCX::ucp.

find_path(UCX_INCLUDE_DIR ucp/api/ucp.h)
find_library(UCX_ucp_LIBRARY ucp)
find_library(UCX_ucs_LIBRARY ucs)
mark_as_advanced(UCX_INCLUDE_DIR UCX_ucp_LIBRARY UCX_ucs_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UCX REQUIRED_VARS
  UCX_ucp_LIBRARY UCX_ucs_LIBRARY UCX_INCLUDE_DIR)

if(UCX_FOUND AND NOT TARGET UCX::ucp)
  add_library(UCX::ucp UNKNOWN IMPORTED)
  set_target_properties(UCX::ucp PROPERTIES
    IMPORTED_LOCATION ${UCX_ucp_LIBRARY}
    INTERFACE_LINK_LIBRARIES ${UCX_ucs_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${UCX_INCLUDE_DIR})
endif()
