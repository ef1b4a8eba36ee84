# SPDX-License-Identifier: Apache-2.0
# Debian packages, as `cpack` makes them of a built tree. scripts/ship/pack calls it.
include_guard()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ampprof)
set(CPACK_PACKAGE_VERSION ${AMPPROF_VERSION})
string(REPLACE ".dev" "~dev" CPACK_DEBIAN_PACKAGE_VERSION ${AMPPROF_VERSION})  # which dpkg takes for earlier than the release
set(CPACK_PACKAGE_CONTACT "the ampprof developers <ampprof@ampprof.invalid>")  # dpkg asks for an address; there is none
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Numerical error and kernel cost of mixed precision, op by op")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL ampprof torch gui amp_core)
set(CPACK_COMPONENT_AMPPROF_GROUP recorder)
set(CPACK_COMPONENT_TORCH_GROUP recorder)
set(CPACK_COMPONENT_GUI_GROUP window)
set(CPACK_COMPONENT_AMP_CORE_GROUP dev)
set(CPACK_COMPONENTS_TORCH_TREE torch amp_core)  # what a tree of another LibTorch adds

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LibTorch_LIB_DIR})  # the user's, and no package's
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
