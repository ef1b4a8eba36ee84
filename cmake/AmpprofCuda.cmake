# SPDX-License-Identifier: Apache-2.0
# Enables CUDA if nvcc is found. All other parts build without it.
include_guard()
include(CheckLanguage)

if(AMPPROF_CUDA)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90-real 100)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)  # needs CMake 3.26 or newer with nvcc 13, as scripts/requirements.txt pins
    # Allows device code to use constants and constexpr functions that are not marked __device__.
    string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr")
    find_package(CUDAToolkit REQUIRED)
  else()
    message(STATUS "ampprof: no nvcc, so the CUDA parts are left out")
    set(AMPPROF_CUDA OFF)
  endif()
endif()
