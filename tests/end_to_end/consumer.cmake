# SPDX-License-Identifier: Apache-2.0
# Installs amp_core as a user would, builds samples/consumer/ against it, and runs the result.
# cmake -D SOURCE= -D BUILD= -D WORK= -D LIBTORCH= -D CXX= -D LAUNCHER= -P consumer.cmake
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)

function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "${expected}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "`${command}` ended with ${code} and did not say \"${expected}\":\n${output}")
  endif()
  set(code ${code} PARENT_SCOPE)
endfunction()

function(run_well expected)
  run("${expected}" ${ARGN})
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "`${command}` ended with ${code}")
  endif()
endfunction()

set(configure ${CMAKE_COMMAND} -S ${SOURCE}/samples/consumer -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

run_well("amp_coreConfig.cmake" ${CMAKE_COMMAND} --install ${BUILD} --component amp_core --prefix ${prefix})
if(EXISTS ${prefix}/bin)
  message(FATAL_ERROR "the amp_core component brought programs of the profiler")
endif()
include(${SOURCE}/amp_core/public_headers.cmake)
foreach(header IN LISTS amp_core_public_headers)
  if(NOT EXISTS ${prefix}/include/amp_core/${header})
    message(FATAL_ERROR "the public header ${header} was not installed")
  endif()
endforeach()
if(EXISTS ${prefix}/include/amp_core/engine/engine.h)
  message(FATAL_ERROR "engine/engine.h, which no public header includes, was installed")
endif()

run("set LIBTORCH to the folder" ${configure} -B ${WORK}/without -DLIBTORCH=/nowhere)
if(code EQUAL 0)
  message(FATAL_ERROR "a missing LibTorch was not noticed")
endif()

run_well("" ${configure} -B ${WORK}/build -DLIBTORCH=${LIBTORCH})
run_well("consumer" ${CMAKE_COMMAND} --build ${WORK}/build)
run_well("loss [0-9.e-]+, loss scale" ${WORK}/build/consumer)

# Recipes are in a library that is loaded when a program names a recipe.
set(in_recipe ${CMAKE_COMMAND} -E env AMP_OPT_LEVEL=O1 AMP_RECIPE=bf16 ${WORK}/build/consumer)
run_well("loss [0-9.e-]+, loss scale" ${in_recipe})
file(GLOB formats ${prefix}/lib/torch-*/libamp_formats.so)
file(REMOVE ${formats})
run("with libamp_formats.so, which is missing in .*Install it in the folder of libamp_core.so" ${in_recipe})
if(code EQUAL 0)
  message(FATAL_ERROR "a missing libamp_formats.so was not noticed")
endif()
run_well("loss [0-9.e-]+, loss scale" ${WORK}/build/consumer)
