# SPDX-License-Identifier: Apache-2.0
# Functions that make targets. All targets outside of tests/ are made by them.
include_guard()

# ampprof_library(<name> SOURCES <file>... [PUBLIC <target>...] [PRIVATE <target>...] [TORCH] [SHARED] [APART])
# Makes a library `ampprof_<name>`, alias `ampprof::<name>`. With TORCH, it is compiled against LibTorch with the shared
# precompiled header. Static libraries are position independent, since libampprof.so contains them. Presets compile
# several sources as one (CMAKE_UNITY_BUILD). APART prevents this: use it if several sources define the same names.
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
    # In a unity build, GCC takes the included sources for headers, and warns about anonymous namespaces in them.
    target_compile_options(ampprof_${name} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# ampprof_program(<name> SOURCES <file>... [PRIVATE <target>...] [TORCH] [INSTALL]) Makes an executable <name>, without
# a prefix. With TORCH and INSTALL, it is bound to the LibTorch version of the build: see ampprof_bound().
function(ampprof_program name)
  cmake_parse_arguments(arg "TORCH;INSTALL" "" "SOURCES;PRIVATE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PRIVATE ${arg_PRIVATE})
  _ampprof_common(${name} ${arg_TORCH})
  if(arg_INSTALL AND arg_TORCH)
    ampprof_bound(${name})
  elseif(arg_INSTALL)
    # Without BUILD_WITH_INSTALL_RPATH, CMake pads the build's RPATH with empty entries, which the loader takes for the
    # current directory.
    set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${name} COMPONENT ampprof)
  endif()
endfunction()

# ampprof_bound(<target>...)
# Puts targets that work only with the LibTorch version of the build into lib/torch-<version>/. The target ampprof_bound
# builds all of them; the component torch installs them.
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

# ampprof_texts(<target> <file>...)
# Generates <file name>.inc for each file, with its text as a string literal, for sources of the target to include.
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
  # OFF, so that CMake adds no -fPIE to programs: -fPIC above is the same flag for all users of a precompiled header.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  if(torch)
    target_link_libraries(${target} PUBLIC LibTorch::LibTorch)
    ampprof_torch_pch(${target})
  endif()
endfunction()

# Lets a target share a precompiled header of LibTorch: cmake/torch_nn_pch.h if one of its sources includes
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

# Lets a target of the command line share the precompiled header cmake/json_pch.h.
function(ampprof_json_pch target)
  target_link_libraries(${target} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json)
  _ampprof_share_pch(${target} json_pch fmt::fmt-header-only nlohmann_json::nlohmann_json)
endfunction()

# Lets a test without LibTorch and Qt share the precompiled header cmake/gtest_pch.h.
function(ampprof_gtest_pch target)
  _ampprof_share_pch(${target} gtest_pch GTest::gtest)
endfunction()

# Lets a target of the GUI share the precompiled header cmake/qt_pch.h.
function(ampprof_qt_pch target)
  _ampprof_share_pch(${target} qt_pch Qt6::Concurrent Qt6::Widgets nlohmann_json::nlohmann_json)
endfunction()

# _ampprof_share_pch(<target> <header> <library>...)
# Compiles cmake/<header>.h once for all targets that share it. They must have the same compile definitions.
function(_ampprof_share_pch target pch)
  if(NOT TARGET ampprof_${pch})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${pch}.cpp CONTENT "// only its precompiled header counts\n")
    add_library(ampprof_${pch} STATIC ${CMAKE_BINARY_DIR}/${pch}.cpp)
    target_include_directories(ampprof_${pch} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
    target_link_libraries(ampprof_${pch} PUBLIC ${ARGN})
    target_compile_options(ampprof_${pch} PRIVATE -Wall -Wextra -fPIC)
    # <> finds the header in the include path, so the generated file does not contain the path of this clone.
    target_precompile_headers(ampprof_${pch} PRIVATE <cmake/${pch}.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ampprof_${pch})
endfunction()
