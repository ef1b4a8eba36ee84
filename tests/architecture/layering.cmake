# SPDX-License-Identifier: Apache-2.0
# Fails when a folder includes a folder that it must not include. Run: cmake -D ROOT=<repo> -P layering.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/arrows.cmake)

# "<folder>: <folders that it may include>", each with all folders below it. The row with the longest matching folder
# applies, so the row of a subfolder narrows that of its parent.
set(rows
  "reports:"
  "amp_core:"
  "precision: reports amp_core"
  "precision/formats: reports"
  "precision/formats/products: precision/cuda precision/formats precision/torch_hooks reports"
  "precision/cuda: precision/error precision/formats precision/sketch precision/update reports"
  "precision/torch_hooks:"
  "precision/replay: precision/formats precision/tensors precision/torch_hooks reports"
  "precision/replay/attention: precision/formats reports"
  "precision/recipes: amp_core precision/formats precision/replay/attention reports"
  "profiler: reports amp_core precision"
  "analysis: reports precision amp_core"
  "views: analysis reports precision amp_core"
  "cli: views analysis reports precision amp_core"
  "cli/launch: analysis reports precision amp_core cli"
  "gui: views analysis reports precision amp_core"
  "samples: amp_core"
  "apex: amp_core")

# Folders whose sources include neither LibTorch nor CUDA nor Qt, so that they build on a machine without these.
set(pure reports analysis views cli precision/advice precision/drift precision/error precision/formats precision/gpu precision/kernel_names precision/probe precision/rules precision/sketch amp_core/launch amp_core/levels amp_core/policy
  profiler/gpu profiler/loss profiler/nvtx profiler/recorder profiler/source profiler/steps profiler/preload)

# Folders inside pure folders that need LibTorch.
set(bound precision/formats/products precision/probe/device)

# The only files of the profiler that may include CUPTI, or a header that includes CUPTI.
set(cupti_files profiler/gpu/cupti_api.cpp profiler/gpu/cupti_api.h profiler/gpu/from_cupti.cpp
  profiler/gpu/launching_calls.cpp profiler/gpu/launching_calls.h profiler/gpu/source.cpp)

# is_below(<variable> <folder> <parent>...): sets the variable to whether a parent is the folder or contains it.
function(is_below variable folder)
  set(${variable} FALSE PARENT_SCOPE)
  foreach(parent IN LISTS ARGN)
    cmake_path(IS_PREFIX parent ${folder} within)
    if(within)
      set(${variable} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(is_pure variable folder)
  is_below(within ${folder} ${pure})
  is_below(without ${folder} ${bound})
  set(${variable} FALSE PARENT_SCOPE)
  if(within AND NOT without)
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()

# row_of(<folder>): sets `row` to the folder of the row that applies, and `may` to the folders that the row allows.
function(row_of folder)
  set(row "")
  foreach(candidate IN LISTS rows)
    string(REGEX MATCH "^([^:]+):(.*)$" matched "${candidate}")
    set(name ${CMAKE_MATCH_1})
    set(named "${CMAKE_MATCH_2}")
    cmake_path(IS_PREFIX name ${folder} within)
    cmake_path(IS_PREFIX row "${name}" longer)
    if(within AND (longer OR NOT row))
      set(row ${name})
      separate_arguments(may UNIX_COMMAND "${named}")
    endif()
  endforeach()
  set(row "${row}" PARENT_SCOPE)
  set(may "${may}" PARENT_SCOPE)
endfunction()

set(bad "")
foreach(arrow IN LISTS arrows)
  string(REGEX MATCH "^(.*)>(.*)$" matched ${arrow})
  set(from ${CMAKE_MATCH_1})
  set(to ${CMAKE_MATCH_2})
  list(JOIN "files_of_${arrow}" ", " files)
  row_of(${from})
  if(NOT row)
    list(APPEND bad "${from}/: has no row in layering.cmake")
    continue()
  endif()
  is_below(allowed ${to} ${row} ${may})
  if(NOT allowed)
    list(APPEND bad "${files}: ${row}/ may not include ${to}/")
  endif()
  is_pure(from_pure ${from})
  is_pure(to_pure ${to})
  if(from_pure AND NOT to_pure)
    list(APPEND bad "${files}: ${from}/ is pure, but ${to}/ is not")
  endif()
  is_below(of_window ${from} gui)
  is_below(to_window ${to} gui)
  if(of_window AND NOT to_window AND NOT to_pure)
    list(APPEND bad "${files}: ${from}/ may include what is pure alone, but ${to}/ is not")
  endif()
endforeach()

foreach(folder IN LISTS pure bound)
  if(NOT IS_DIRECTORY "${ROOT}/${folder}")
    list(APPEND bad "${folder}/: is in a list of layering.cmake, but not in the tree")
  endif()
endforeach()
foreach(folder IN LISTS folders)
  is_pure(pure_here ${folder})
  file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
  foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" includes REGEX "^#include <(torch|ATen|c10|cuda|Q)")
    if(pure_here AND includes)
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
