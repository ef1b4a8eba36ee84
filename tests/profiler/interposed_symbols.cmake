# SPDX-License-Identifier: Apache-2.0
# Fails if the stub interposes a function that the installed LibTorch lacks and that no list names as different between
# versions. Such a function would never be called, and the recording would silently lack its calls.
# Run: cmake -D NM=nm -D STUB=libampprof_preload.so -D LISTED=files -D LIBRARIES=... -P interposed_symbols.cmake
function(defined_symbols variable)
  execute_process(COMMAND ${NM} -D --defined-only --format=posix ${ARGN} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "_ZNK?(2at|3c10|5torch)[A-Za-z0-9_]+" symbols "${table}")
  set(${variable} ${symbols} PARENT_SCOPE)
endfunction()

defined_symbols(missing ${STUB})
list(LENGTH missing count)
defined_symbols(present ${LIBRARIES})
list(REMOVE_ITEM missing ${present})
foreach(file IN LISTS LISTED)
  file(STRINGS ${file} listed REGEX "^AMPPROF_")
  list(TRANSFORM listed REPLACE ".*\"(.*)\".*" "\\1")
  list(REMOVE_ITEM missing ${listed})
endforeach()
list(JOIN missing "\n  " lines)
if(missing OR count LESS 50)
  message(FATAL_ERROR "of ${count} functions that the stub interposes LibTorch has none of these:\n  ${lines}")
endif()
