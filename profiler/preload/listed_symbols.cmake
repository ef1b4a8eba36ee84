# SPDX-License-Identifier: Apache-2.0
# Lists the functions of the LibTorch at hand whose names or arguments differ between versions: the built-in modules'
# forward() as AMPPROF_FORWARD lines, what ends a custom autograd function as AMPPROF_WRAP_OUTPUTS lines.
# Run: cmake -D NM=nm -D LIBRARY=libtorch_cpu.so -D FOLDER=folder -P listed_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)

# write_list(<name> <least> <pattern>): the symbols that match, as AMPPROF_<NAME> lines of <name>_symbols.inc.
function(write_list name least pattern)
  string(REGEX MATCHALL "${pattern}" found "${symbols}")
  # More than four arguments: they do not fit the registers that the wrappers pass on.
  list(FILTER found EXCLUDE REGEX "nn(22MultiheadAttention|15Transformer|27TransformerDecoderLayer|22TransformerDecoder)Impl")
  list(SORT found)
  list(LENGTH found count)
  if(count LESS least)
    message(FATAL_ERROR "${count} symbols ${pattern} in ${LIBRARY} instead of ${least}: has LibTorch changed how it names them?")
  endif()
  string(TOUPPER ${name} macro)
  set(lines "")
  foreach(symbol IN LISTS found)
    string(APPEND lines "AMPPROF_${macro}(ampprof_${name}_${count}, \"${symbol}\")\n")
    math(EXPR count "${count} - 1")
  endforeach()
  file(WRITE ${FOLDER}/${name}_symbols.inc "${lines}")
endfunction()

write_list(forward 50 "_ZN5torch2nn[0-9]+[A-Za-z0-9]+Impl7forwardE[A-Za-z0-9_]*")
write_list(wrap_outputs 1 "_ZN5torch8autograd13_wrap_outputsE[A-Za-z0-9_]*")
