# SPDX-License-Identifier: Apache-2.0
# Finds LibTorch without its own CMake package, which rewrites the caller's CUDA architectures and fails without a GPU.
#
# Input:  LIBTORCH, a folder with include/ and lib/ (a LibTorch archive or site-packages/torch). If it is not set, the
#         folders of CMAKE_PREFIX_PATH are searched.
# Output: targets LibTorch::LibTorch and LibTorch::Device, LibTorch_VERSION, LibTorch_LIB_DIR, LibTorch_CUDA_LIBRARY.
set(LIBTORCH "$ENV{LIBTORCH}" CACHE PATH "Folder of LibTorch: the one that holds include/ and lib/")

if(NOT LIBTORCH)
  find_path(LibTorch_ROOT_DIR include/ATen/ATen.h PATHS ${CMAKE_PREFIX_PATH} NO_DEFAULT_PATH)
  if(LibTorch_ROOT_DIR)
    set_property(CACHE LIBTORCH PROPERTY VALUE ${LibTorch_ROOT_DIR})
  endif()
endif()

find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${LIBTORCH}/include NO_DEFAULT_PATH)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${LIBTORCH}/lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${LIBTORCH}/lib NO_DEFAULT_PATH)
find_library(LibTorch_TORCH_LIBRARY torch HINTS ${LIBTORCH}/lib NO_DEFAULT_PATH)
find_library(LibTorch_CUDA_LIBRARY torch_cuda HINTS ${LIBTORCH}/lib NO_DEFAULT_PATH)  # only in builds for CUDA
find_library(LibTorch_C10_CUDA_LIBRARY c10_cuda HINTS ${LIBTORCH}/lib NO_DEFAULT_PATH)

if(LibTorch_CPU_LIBRARY)
  cmake_path(GET LibTorch_CPU_LIBRARY PARENT_PATH LibTorch_LIB_DIR)
endif()
# LibTorch 2.9 moved the header.
foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
  if(NOT LibTorch_VERSION AND EXISTS ${LIBTORCH}/include/${header})
    file(STRINGS ${LIBTORCH}/include/${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
    string(REGEX REPLACE "[^0-9;]*([0-9]+)" "\\1" numbers "${lines}")
    list(JOIN numbers "." LibTorch_VERSION)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_TORCH_LIBRARY LibTorch_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "(set LIBTORCH to the folder that holds LibTorch's include/ and lib/)")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    ${LIBTORCH}/include ${LIBTORCH}/include/torch/csrc/api/include)
  target_link_libraries(LibTorch::LibTorch INTERFACE ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY})

  # For programs that may use a GPU: links libtorch, which loads libtorch_cuda, although the program needs none of its
  # symbols. ampprof's libraries leave that choice to the program.
  add_library(LibTorch::Device INTERFACE IMPORTED)
  target_link_libraries(LibTorch::Device INTERFACE LibTorch::LibTorch
    "-Wl,--push-state,--no-as-needed" ${LibTorch_TORCH_LIBRARY} "-Wl,--pop-state")
endif()
