# SPDX-License-Identifier: Apache-2.0
# Fails when a C++ block of amp_core's manual is not, line for line, in the test that compiles and runs the manual.
# The manual is amp_core/README.md and the pages of docs/reference/ about amp_core.
# Indentation and blank lines are ignored. Run: cmake -D ROOT=<repo> -P manual.cmake
cmake_minimum_required(VERSION 3.25)
set(test tests/amp_core/manual_test.cpp)
file(GLOB manual RELATIVE "${ROOT}" "${ROOT}/amp_core/README.md" "${ROOT}/docs/reference/amp_core.md"
  "${ROOT}/docs/reference/amp_core/*.md" "${ROOT}/docs/reference/cpp/*.md")

# Whole files as one string each: lists would be cut at the semicolons of C++.
function(read_lines path variable)
  file(READ "${ROOT}/${path}" text)
  string(REGEX REPLACE "\n[ \t\n]*" "\n" text "\n${text}\n")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

read_lines(${test} tested)
set(blocks 0)
set(bad "")
set(opening "\n```cpp\n")
foreach(page IN LISTS manual)
  read_lines(${page} rest)
  string(FIND "${rest}" "${opening}" begin)
  while(NOT begin EQUAL -1)
    string(LENGTH "${opening}" skipped)
    math(EXPR begin "${begin} + ${skipped}")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}" "```" length)
    string(SUBSTRING "${rest}" 0 ${length} block)
    string(FIND "${tested}" "\n${block}" found)
    if(found EQUAL -1)
      string(REGEX MATCH "^[^\n]*" first_line "${block}")
      string(APPEND bad "\n  ${page}: ${first_line}")
    endif()
    math(EXPR blocks "${blocks} + 1")
    string(FIND "${rest}" "${opening}" begin)
  endwhile()
endforeach()

if(blocks EQUAL 0)
  message(FATAL_ERROR "amp_core's manual has no block of C++.")
endif()
if(bad)
  message(FATAL_ERROR "not in ${test}, and so untested, are the blocks that begin with:${bad}")
endif()
