# SPDX-License-Identifier: Apache-2.0
# Fails when a CUDA kernel may trap. If a kernel reads a constexpr table by an index known only at run time, nvcc has no
# such table in device memory, and silently compiles a trap. Run: cmake -D ROOT=<repo> -D NVCC=<nvcc> -D FOLDER=<for
# PTX> -P device_code.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/precision/*.cu")
if(NOT files)
  message(FATAL_ERROR "no CUDA kernels in ${ROOT}/precision: the check would see nothing.")
endif()
set(bad "")
foreach(file IN LISTS files)
  execute_process(COMMAND "${NVCC}" -ptx -O3 -std=c++20 -arch=sm_90 --expt-relaxed-constexpr -I "${ROOT}" -o "${FOLDER}/device_code.ptx"
    "${ROOT}/${file}" COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS "${FOLDER}/device_code.ptx" lines REGEX "^[ \t]*trap;|^[.]visible [.]entry")
  set(kernel "")
  foreach(line IN LISTS lines)
    if(line MATCHES "entry ([^(]+)")
      set(kernel ${CMAKE_MATCH_1})
    else()
      list(APPEND bad "${file}: ${kernel}")
    endif()
  endforeach()
endforeach()
list(JOIN bad "\n  " bad)
if(bad)
  message(FATAL_ERROR "kernels that may trap:\n  ${bad}")
endif()
