# SPDX-License-Identifier: Apache-2.0
# Finds RE2, whose Debian package has no CMake package. Prefers the static library, so that ampprof's packages also run
# on Debian releases with another version of RE2. Takes the shared library of versions since 2023, which need Abseil.
#
# Output: target RE2::RE2.
find_path(RE2_INCLUDE_DIR re2/re2.h)
if(RE2_INCLUDE_DIR)
  file(STRINGS ${RE2_INCLUDE_DIR}/re2/re2.h abseil REGEX "include \"absl/")
endif()
if(abseil)
  find_library(RE2_LIBRARY re2)
else()
  find_library(RE2_LIBRARY NAMES libre2.a re2)
endif()
mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RE2 REQUIRED_VARS RE2_LIBRARY RE2_INCLUDE_DIR)
if(RE2_FOUND AND NOT TARGET RE2::RE2)
  add_library(RE2::RE2 UNKNOWN IMPORTED)
  set_target_properties(RE2::RE2 PROPERTIES IMPORTED_LOCATION ${RE2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
endif()
