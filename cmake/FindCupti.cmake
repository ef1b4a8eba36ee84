# SPDX-License-Identifier: Apache-2.0
# Finds the headers of CUPTI 13, which are beside cuda.h: in the CUDA toolkit, in the pip packages that LibTorch depends
# on, or in CUDA_HOME. The library is opened with dlopen() at run time, so neither nvcc nor a GPU is needed.
#
# Output: target Cupti::headers, Cupti_VERSION (130001 for 13.0.1), and Cupti_LIBRARY if a library is beside the
# headers.
find_path(Cupti_INCLUDE_DIR cupti.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ${LIBTORCH}/../nvidia/cu13/include ENV CUDA_HOME PATH_SUFFIXES include
  PATHS /usr/local/cuda/include)
if(Cupti_INCLUDE_DIR AND EXISTS ${Cupti_INCLUDE_DIR}/cuda.h)
  file(STRINGS ${Cupti_INCLUDE_DIR}/cupti_version.h line REGEX "define CUPTI_API_VERSION [0-9]+")
  string(REGEX REPLACE ".*VERSION ([0-9]+).*" "\\1" Cupti_VERSION "${line}")
endif()
find_file(Cupti_LIBRARY libcupti.so.13 HINTS ${Cupti_INCLUDE_DIR}/../lib ${Cupti_INCLUDE_DIR}/../lib64)
mark_as_advanced(Cupti_INCLUDE_DIR Cupti_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cupti REQUIRED_VARS Cupti_INCLUDE_DIR Cupti_VERSION VERSION_VAR Cupti_VERSION)

if(Cupti_FOUND AND NOT TARGET Cupti::headers)
  add_library(Cupti::headers INTERFACE IMPORTED)
  target_include_directories(Cupti::headers SYSTEM INTERFACE ${Cupti_INCLUDE_DIR})
endif()
