# SPDX-License-Identifier: Apache-2.0
# The only ways to make a target here.
include_guard()

# ampprof_library(<name> SOURCES <file>... [PUBLIC <target>...] [PRIVATE <target>...] [TORCH] [SHARED] [APART])
# A library `ampprof_<name>`, alias `ampprof::<name>`. With TORCH it is compiled against LibTorch with the shared
# precompiled header. Static libraries are position independent, since they end up in libampprof.so. Presets compile
# several sources as one (CMAKE_UNITY_BUILD), but not with APART: sources that use the same names.
function(ampprof_library name)
  cmake_parse_arguments(arg "TORCH;SHARED;APART" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(arg_SHARED)
    set(kind SHARED)
  else()
    set(kind STATIC)
  endif()
  add_library(ampprof_${name} ${kind} ${arg_SOURCES})
  add_library(ampprof::${name} ALIAS ampprof_${name})
  target_link_libraries(ampprof_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  _ampprof_common(ampprof_${name} ${arg_TORCH})
  if(arg_APART)
    set_target_properties(ampprof_${name} PROPERTIES UNITY_BUILD OFF)
  elseif(CMAKE_UNITY_BUILD)
    target_compile_options(ampprof_${name} PRIVATE -Wno-subobject-linkage)  # it takes each source for a header
  endif()
endfunction()

# ampprof_program(<name> SOURCES <file>... [PRIVATE <target>...] [TORCH] [INSTALL]): an executable called exactly <name>.
# With TORCH and INSTALL, it depends on the version of LibTorch: see ampprof_bound().
function(ampprof_program name)
  cmake_parse_arguments(arg "TORCH;INSTALL" "" "SOURCES;PRIVATE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PRIVATE ${arg_PRIVATE})
  _ampprof_common(${name} ${arg_TORCH})
  if(arg_INSTALL AND arg_TORCH)
    ampprof_bound(${name})
  elseif(arg_INSTALL)
    # Otherwise CMake pads the path of the build tree with empty folders, which the loader reads as the current one.
    set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${name} COMPONENT ampprof)
  endif()
endfunction()

# ampprof_bound(<target>...): puts targets that work only with the LibTorch version of the build into the folder of that
# version. The target ampprof_bound builds them all; the component torch installs them.
function(ampprof_bound)
  if(NOT TARGET ampprof_bound)
    add_custom_target(ampprof_bound)
  endif()
  add_dependencies(ampprof_bound ${ARGN})
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH $ORIGIN
    LIBRARY_OUTPUT_DIRECTORY ${AMPPROF_TREE}/${AMPPROF_TORCH_FOLDER}
    RUNTIME_OUTPUT_DIRECTORY ${AMPPROF_TREE}/${AMPPROF_TORCH_FOLDER})
  install(TARGETS ${ARGN} COMPONENT torch
    LIBRARY DESTINATION ${AMPPROF_TORCH_FOLDER} RUNTIME DESTINATION ${AMPPROF_TORCH_FOLDER})
endfunction()

# ampprof_texts(<target> <file>...): makes <file name>.inc for sources of the target, the file's text as a string
# literal.
function(ampprof_texts target)
  foreach(file IN LISTS ARGN)
    file(READ ${file} text)
    cmake_path(GET file FILENAME name)
    file(CONFIGURE OUTPUT ${name}.inc CONTENT "R\"text(@text@)text\"" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

function(_ampprof_common target torch)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -fPIC>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-fPIC>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # -fPIC above: one flag for PCH users
  if(torch)
    target_link_libraries(${target} PUBLIC LibTorch::LibTorch)
    ampprof_torch_pch(${target})
  endif()
endfunction()

# Lets a target share a precompiled header of LibTorch, each compiled once: cmake/torch_nn_pch.h if a source includes
# <torch/torch.h>, else cmake/torch_pch.h.
function(ampprof_torch_pch target)
  set(pch torch_pch)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    if(EXISTS ${file})
      file(STRINGS ${file} whole REGEX "#include <torch/torch.h>" LIMIT_COUNT 1)
      if(whole)
        set(pch torch_nn_pch)
      endif()
    endif()
  endforeach()
  _ampprof_share_pch(${target} ${pch} LibTorch::LibTorch)
endfunction()

# Lets a target share the precompiled header of the command line's sources: cmake/json_pch.h.
function(ampprof_json_pch target)
  target_link_libraries(${target} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json)
  _ampprof_share_pch(${target} json_pch fmt::fmt-header-only nlohmann_json::nlohmann_json)
endfunction()

# Lets a test share the precompiled header of tests without LibTorch and Qt: cmake/gtest_pch.h.
function(ampprof_gtest_pch target)
  _ampprof_share_pch(${target} gtest_pch GTest::gtest)
endfunction()

# Lets a target share the precompiled header of the windows: cmake/qt_pch.h.
function(ampprof_qt_pch target)
  _ampprof_share_pch(${target} qt_pch Qt6::Concurrent Qt6::Widgets nlohmann_json::nlohmann_json)
endfunction()

# _ampprof_share_pch(<target> <header> <library>...): compiles cmake/<header>.h once for all targets that share it. They
# must have the same definitions.
function(_ampprof_share_pch target pch)
  if(NOT TARGET ampprof_${pch})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${pch}.cpp CONTENT "// only its precompiled header counts\n")
    add_library(ampprof_${pch} STATIC ${CMAKE_BINARY_DIR}/${pch}.cpp)
    target_include_directories(ampprof_${pch} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
    target_link_libraries(ampprof_${pch} PUBLIC ${ARGN})
    target_compile_options(ampprof_${pch} PRIVATE -Wall -Wextra -fPIC)
    target_precompile_headers(ampprof_${pch} PRIVATE <cmake/${pch}.h>)  # found by the path above, not a clone's
  endif()
  target_precompile_headers(${target} REUSE_FROM ampprof_${pch})
endfunction()
