# SPDX-License-Identifier: Apache-2.0
# Finds the header of cublasLt in the CUDA toolkit, in the pip packages that LibTorch depends on, or in CUDA_HOME. The
# library is opened with dlopen() at run time, so neither nvcc nor a GPU is needed.
#
# Output: target CublasLt::headers, CublasLt_VERSION (the major version), and CublasLt_TILES: C++ initializers
# {23, "128x256"} for the enumerators CUBLASLT_MATMUL_TILE_*.
find_path(CublasLt_INCLUDE_DIR cublasLt.h
  HINTS ${LIBTORCH}/../nvidia/cu13/include ${CUDAToolkit_INCLUDE_DIRS} ENV CUDA_HOME PATH_SUFFIXES include
  PATHS /usr/local/cuda/include)
mark_as_advanced(CublasLt_INCLUDE_DIR)
if(CublasLt_INCLUDE_DIR AND EXISTS ${CublasLt_INCLUDE_DIR}/cuda_runtime_api.h)
  file(STRINGS ${CublasLt_INCLUDE_DIR}/cublas_api.h line REGEX "define CUBLAS_VER_MAJOR [0-9]+")
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*" "\\1" CublasLt_VERSION "${line}")
  file(STRINGS ${CublasLt_INCLUDE_DIR}/cublasLt.h CublasLt_TILES REGEX "CUBLASLT_MATMUL_TILE_[0-9]+x[0-9]+ += [0-9]+")
  list(TRANSFORM CublasLt_TILES REPLACE ".*TILE_([0-9]+x[0-9]+) += ([0-9]+).*" "{\\2, \"\\1\"},")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CublasLt REQUIRED_VARS CublasLt_INCLUDE_DIR CublasLt_VERSION VERSION_VAR CublasLt_VERSION)

if(CublasLt_FOUND AND NOT TARGET CublasLt::headers)
  add_library(CublasLt::headers INTERFACE IMPORTED)
  target_include_directories(CublasLt::headers SYSTEM INTERFACE ${CublasLt_INCLUDE_DIR})
endif()
