# SPDX-License-Identifier: Apache-2.0
# Lists the built-in modules' forward() of the LibTorch at hand as AMPPROF_FORWARD lines.
# Run: cmake -D NM=nm -D LIBRARY=libtorch_cpu.so -D OUTPUT=file -P forward_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "_ZN5torch2nn[0-9]+[A-Za-z0-9]+Impl7forwardE[A-Za-z0-9_]*" found "${symbols}")
# More than four arguments: they do not fit the registers that the wrappers pass on.
list(FILTER found EXCLUDE REGEX "nn(22MultiheadAttention|15Transformer|27TransformerDecoderLayer|22TransformerDecoder)Impl")
list(SORT found)
set(lines "")
set(index 0)
foreach(symbol IN LISTS found)
  string(APPEND lines "AMPPROF_FORWARD(ampprof_forward_${index}, \"${symbol}\")\n")
  math(EXPR index "${index} + 1")
endforeach()
if(index LESS 50)
  message(FATAL_ERROR "only ${index} forward() symbols found in ${LIBRARY}: has LibTorch changed how it names them?")
endif()
file(WRITE ${OUTPUT} "${lines}")
