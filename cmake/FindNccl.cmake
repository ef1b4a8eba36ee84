# SPDX-License-Identifier: Apache-2.0
# Finds the headers of NCCL in the pip packages that LibTorch depends on, in the system, or in NCCL_HOME. LibTorch
# brings the library. The build needs neither the library nor a GPU.
#
# Output: target Nccl::headers.
find_path(Nccl_INCLUDE_DIR nccl.h
  HINTS ${LIBTORCH}/../nvidia/nccl/include ENV NCCL_HOME PATH_SUFFIXES include)
mark_as_advanced(Nccl_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nccl REQUIRED_VARS Nccl_INCLUDE_DIR)

if(Nccl_FOUND AND NOT TARGET Nccl::headers)
  add_library(Nccl::headers INTERFACE IMPORTED)
  target_include_directories(Nccl::headers SYSTEM INTERFACE ${Nccl_INCLUDE_DIR})
endif()
