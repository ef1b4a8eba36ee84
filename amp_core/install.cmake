# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --component amp_core`: library, headers, and find_package(amp_core), for programs that use
# amp_core alone.
include(CMakePackageConfigHelpers)

set(package lib/cmake/amp_core)
# Directory for files that depend on the LibTorch version; amp_coreConfig.cmake selects it.
set(bound ${AMPPROF_TORCH_FOLDER}/cmake/amp_core)

target_compile_features(ampprof_amp_core PUBLIC cxx_std_20)
set_target_properties(ampprof_amp_core PROPERTIES EXPORT_NAME amp_core)
ampprof_bound(ampprof_amp_core)
install(TARGETS ampprof_amp_core EXPORT amp_core COMPONENT amp_core
  LIBRARY DESTINATION ${AMPPROF_TORCH_FOLDER} INCLUDES DESTINATION include)
if(TARGET ampprof_amp_core_nccl)
  ampprof_bound(ampprof_amp_core_nccl)
  install(TARGETS ampprof_amp_core_nccl COMPONENT amp_core LIBRARY DESTINATION ${AMPPROF_TORCH_FOLDER})
endif()
install(SCRIPT install_headers.cmake COMPONENT amp_core)
install(EXPORT amp_core NAMESPACE amp_core:: DESTINATION ${bound} COMPONENT amp_core)

configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/amp_coreConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/amp_coreConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/amp_coreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/amp_coreConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/amp_coreConfigVersion.cmake
  ${CMAKE_SOURCE_DIR}/cmake/FindLibTorch.cmake
  DESTINATION ${package} COMPONENT amp_core)
