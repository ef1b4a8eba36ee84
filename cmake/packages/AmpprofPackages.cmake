# SPDX-License-Identifier: Apache-2.0
# Configures the Debian packages that `cpack` makes from a built tree. scripts/ship/pack runs cpack.
include_guard()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ampprof)
set(CPACK_PACKAGE_VERSION ${AMPPROF_VERSION})
string(REPLACE ".dev" "~dev" CPACK_DEBIAN_PACKAGE_VERSION ${AMPPROF_VERSION})  # dpkg sorts ~dev before the release
set(CPACK_PACKAGE_CONTACT "the ampprof developers <ampprof@ampprof.invalid>")  # dpkg requires an address
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Numerical error and kernel cost of mixed precision, op by op")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL ampprof torch gui amp_core)
set(CPACK_COMPONENT_AMPPROF_GROUP recorder)
set(CPACK_COMPONENT_TORCH_GROUP recorder)
set(CPACK_COMPONENT_GUI_GROUP window)
set(CPACK_COMPONENT_AMP_CORE_GROUP dev)
set(CPACK_COMPONENTS_TORCH_TREE torch amp_core)  # components from the trees of other LibTorch versions

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LibTorch_LIB_DIR})  # LibTorch comes from the user, not from a package
set(CPACK_DEBIAN_RECORDER_PACKAGE_NAME ampprof)
set(CPACK_DEBIAN_RECORDER_PACKAGE_SUGGESTS ampprof-gui)
set(CPACK_COMPONENT_GROUP_RECORDER_DESCRIPTION "Records LibTorch and PyTorch programs (C++, TorchScript, Python), and writes \
what each op loses in reduced precision, gradient overflows and kernel times into one report.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME ampprof-gui)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "ampprof (= ${CPACK_DEBIAN_PACKAGE_VERSION})")
set(CPACK_COMPONENT_GROUP_WINDOW_DESCRIPTION "The GUI that shows ampprof's reports.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libamp-core-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "ampprof (= ${CPACK_DEBIAN_PACKAGE_VERSION})")
set(CPACK_COMPONENT_GROUP_DEV_DESCRIPTION "Headers and CMake package of amp_core, an engine for mixed precision in LibTorch programs.")

set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/other_trees.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/ampprof)
include(CPack)
