# SPDX-License-Identifier: Apache-2.0
# Fails when a folder includes a folder it may not know. Run: cmake -D ROOT=<repo> -P layering.cmake
cmake_minimum_required(VERSION 3.25)

# <folder>_may: the folders it may include, besides itself.
set(reports_may   "")
set(amp_core_may  "")
set(precision_may "reports;amp_core")
set(profiler_may  "reports;amp_core;precision")
set(cli_may       "reports;precision;amp_core")  # pure halves only
set(gui_may       "reports;precision;amp_core;cli")  # pure halves only; of cli what it prints: views and texts
set(samples_may   "amp_core")
set(folders reports amp_core precision profiler cli gui samples)

# Folders whose sources must not include LibTorch, CUDA or Qt: they build on a machine that has none of them.
set(pure_folders reports cli precision/advice precision/gpu precision/kernel_names precision/probe precision/rules amp_core/levels profiler/gpu profiler/nvtx profiler/recorder profiler/steps profiler/preload)

# Folders inside a pure one that are bound to LibTorch.
set(bound_folders precision/probe/device)

# The only files of the profiler that may include CUPTI, or a header that does.
set(cupti_files profiler/gpu/cupti_api.cpp profiler/gpu/cupti_api.h profiler/gpu/from_cupti.cpp profiler/gpu/source.cpp)

set(bad "")
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.cu")
  foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" includes REGEX "^#include \"[a-z_]+/")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"([a-z_]+)/.*" "\\1" target "${line}")
      if(NOT target STREQUAL folder AND target IN_LIST folders AND NOT target IN_LIST ${folder}_may)
        list(APPEND bad "${file}: ${folder}/ may not include ${target}/")
      endif()
    endforeach()
  endforeach()
endforeach()

foreach(folder IN LISTS pure_folders)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
  foreach(bound IN LISTS bound_folders)
    list(FILTER files EXCLUDE REGEX "^${bound}/")
  endforeach()
  foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" includes REGEX "^#include <(torch|ATen|c10|cuda|Q)")
    if(includes)
      list(APPEND bad "${file}: ${folder}/ is pure, but has ${includes}")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/profiler/*.h" "${ROOT}/profiler/*.cpp" "${ROOT}/reports/*.h")
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" includes REGEX "^#include (<cupti|\"profiler/gpu/cupti_api.h\")")
  if(includes AND NOT file IN_LIST cupti_files)
    list(APPEND bad "${file}: only the files of cupti_files in layering.cmake may know CUPTI")
  endif()
endforeach()

list(JOIN bad "\n  " bad)
if(bad)
  message(FATAL_ERROR "layering broken:\n  ${bad}")
endif()
