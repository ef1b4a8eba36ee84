# SPDX-License-Identifier: Apache-2.0
# Adds the trees of other LibTorch versions (`make torch`) to the packages. cpack runs this script, because these
# trees may be made after the main tree is configured. They are beside the main tree.
list(GET CPACK_BUILD_SOURCE_DIRS 1 build)
file(GLOB installs ${build}-torch-*/cmake_install.cmake)
foreach(install IN LISTS installs)
  cmake_path(GET install PARENT_PATH tree)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${tree} ampprof TORCH_TREE /)
endforeach()
