# SPDX-License-Identifier: Apache-2.0
# Compares the symbols of a LibTorch with the lists of interposed functions that differ between versions:
# forward_symbols.inc, forward() of the built-in modules, and wrap_outputs_symbols.inc, the functions that end a custom
# autograd function. One stub serves all versions, so a list has the functions of every version. Fails with the names of
# functions that a list lacks; with UPDATE, adds them.
# Run: cmake -D NM=nm -D LIBRARY=libtorch_cpu.so [-D UPDATE=ON] -P listed_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)

# compare(<name> <least> <pattern>) compares the symbols that match `pattern`, at least `least` of them, with the
# AMPPROF_<NAME> lines of <name>_symbols.inc.
function(compare name least pattern)
  string(REGEX MATCHALL "${pattern}" found "${symbols}")
  # These have more than four arguments, which do not fit the registers that the wrappers pass on.
  list(FILTER found EXCLUDE REGEX "nn(22MultiheadAttention|15Transformer|27TransformerDecoderLayer|22TransformerDecoder)Impl")
  list(LENGTH found count)
  if(count LESS least)
    message(FATAL_ERROR "${count} symbols ${pattern} in ${LIBRARY} instead of ${least}: LibTorch has changed how it names them")
  endif()
  set(file ${CMAKE_CURRENT_LIST_DIR}/${name}_symbols.inc)
  set(listed "")
  if(EXISTS ${file})
    file(STRINGS ${file} listed REGEX "^AMPPROF_")
    list(TRANSFORM listed REPLACE ".*\"(.*)\".*" "\\1")
  endif()
  set(missing ${found})
  list(REMOVE_ITEM missing ${listed})
  if(missing AND NOT UPDATE)
    list(JOIN missing "\n  " lines)
    message(FATAL_ERROR "${LIBRARY} has functions that ${file} lacks, so calls of them are not seen. "
      "`cmake -D NM=nm -D LIBRARY=${LIBRARY} -D UPDATE=ON -P ${CMAKE_CURRENT_LIST_FILE}` adds them:\n  ${lines}")
  endif()
  if(missing)
    list(APPEND listed ${missing})
    list(SORT listed)
    string(TOUPPER ${name} macro)
    list(TRANSFORM listed REPLACE "(.+)" "AMPPROF_${macro}(\"\\1\")")
    list(JOIN listed "\n" lines)
    file(WRITE ${file} "// SPDX-License-Identifier: Apache-2.0\n// Made by listed_symbols.cmake.\n${lines}\n")
  endif()
endfunction()

compare(forward 50 "_ZN5torch2nn[0-9]+[A-Za-z0-9]+Impl7forwardE[A-Za-z0-9_]*")
compare(wrap_outputs 1 "_ZN5torch8autograd13_wrap_outputsE[A-Za-z0-9_]*")
