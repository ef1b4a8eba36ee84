# SPDX-License-Identifier: Apache-2.0
# Finds the headers of NCCL: those that LibTorch's pip package came with, of the system, or where NCCL_HOME says. Its library is
# LibTorch's own; neither it nor a GPU is needed.
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
