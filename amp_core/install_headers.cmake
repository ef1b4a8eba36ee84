# SPDX-License-Identifier: Apache-2.0
# Installs the public headers of amp_core and all headers of amp_core that they include, directly or not. Runs at
# install time, so that includes added since the last configuration are found.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)

set(pending ${amp_core_public_headers})
set(found "")
while(pending)
  list(POP_FRONT pending header)
  if(NOT header IN_LIST found)
    list(APPEND found ${header})
    file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/${header} includes REGEX "^#include \"amp_core/")
    list(TRANSFORM includes REPLACE "^#include \"amp_core/([^\"]+)\".*" "\\1")
    list(APPEND pending ${includes})
  endif()
endwhile()
foreach(header IN LISTS found)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${CMAKE_CURRENT_LIST_DIR}/${header} DESTINATION ${CMAKE_INSTALL_PREFIX}/include/amp_core/${folder})
endforeach()
