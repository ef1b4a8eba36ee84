# SPDX-License-Identifier: Apache-2.0
# Finds the headers of NVTX 3, which has no library, in the CUDA toolkit, in the pip packages that LibTorch depends on,
# or in CUDA_HOME. Neither nvcc nor a GPU is needed.
#
# Output: target Nvtx3::headers, to be included as <nvtx3/nvToolsExt.h>.
find_path(Nvtx3_INCLUDE_DIR nvtx3/nvToolsExt.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ${LIBTORCH}/../nvidia/cu13/include ENV CUDA_HOME PATH_SUFFIXES include
  PATHS /usr/local/cuda/include)
mark_as_advanced(Nvtx3_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nvtx3 REQUIRED_VARS Nvtx3_INCLUDE_DIR)

if(Nvtx3_FOUND AND NOT TARGET Nvtx3::headers)
  add_library(Nvtx3::headers INTERFACE IMPORTED)
  target_include_directories(Nvtx3::headers SYSTEM INTERFACE ${Nvtx3_INCLUDE_DIR})
endif()
