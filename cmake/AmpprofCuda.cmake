# SPDX-License-Identifier: Apache-2.0
# Turns CUDA on where nvcc is found; everything else builds without it.
include_guard()
include(CheckLanguage)

if(AMPPROF_CUDA)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90-real 100)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)  # needs CMake 3.26 or newer with nvcc 13; the pinned one is
    # Allows device code to use constants and small constexpr functions of ampprof.
    string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr")
    find_package(CUDAToolkit REQUIRED)
  else()
    message(STATUS "ampprof: no nvcc, so the CUDA parts are left out")
    set(AMPPROF_CUDA OFF)
  endif()
endif()
