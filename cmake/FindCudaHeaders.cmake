# SPDX-License-Identifier: Apache-2.0
# Finds the headers of CUDA that kernels include, in the CUDA toolkit or in CUDA_HOME. The headers in the pip packages
# that LibTorch depends on lack <nv/target>. Neither nvcc nor a GPU is needed.
#
# Output: target CudaHeaders::headers.
find_path(CudaHeaders_INCLUDE_DIR cuda_fp8.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV CUDA_HOME PATH_SUFFIXES include
  PATHS /usr/local/cuda/include)
find_path(CudaHeaders_TARGET_DIR nv/target HINTS ${CudaHeaders_INCLUDE_DIR}/cccl ${CudaHeaders_INCLUDE_DIR})
mark_as_advanced(CudaHeaders_INCLUDE_DIR CudaHeaders_TARGET_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CudaHeaders REQUIRED_VARS CudaHeaders_INCLUDE_DIR CudaHeaders_TARGET_DIR)

if(CudaHeaders_FOUND AND NOT TARGET CudaHeaders::headers)
  add_library(CudaHeaders::headers INTERFACE IMPORTED)
  target_include_directories(CudaHeaders::headers SYSTEM INTERFACE ${CudaHeaders_INCLUDE_DIR} ${CudaHeaders_TARGET_DIR})
endif()
