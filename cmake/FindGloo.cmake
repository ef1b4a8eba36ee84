# SPDX-License-Identifier: Apache-2.0
# Finds the headers of Gloo, which LibTorch's packages lack, in Debian's libgloo-dev. LibTorch's libraries contain Gloo.
#
# Output: target Gloo::headers.
find_path(Gloo_INCLUDE_DIR gloo/rendezvous/store.h)
mark_as_advanced(Gloo_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gloo REQUIRED_VARS Gloo_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "(its headers are in Debian's libgloo-dev, which scripts/setup installs)")

if(Gloo_FOUND AND NOT TARGET Gloo::headers)
  add_library(Gloo::headers INTERFACE IMPORTED)
  target_include_directories(Gloo::headers SYSTEM INTERFACE ${Gloo_INCLUDE_DIR})
endif()
