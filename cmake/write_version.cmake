# SPDX-License-Identifier: Apache-2.0
# Writes the version into a file, unless the file has it already.
# Run: cmake -D ROOT=<repo> -D NEXT=<version> -D TEMPLATE=<file> -D OUTPUT=<file> -P write_version.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/AmpprofVersion.cmake)

ampprof_find_version(${ROOT} ${NEXT} AMPPROF_VERSION AMPPROF_COMMIT)
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
