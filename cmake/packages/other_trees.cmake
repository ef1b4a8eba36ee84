# SPDX-License-Identifier: Apache-2.0
# Trees of other versions of LibTorch, made since this one was configured (`make torch`), stand beside it.
list(GET CPACK_BUILD_SOURCE_DIRS 1 build)
file(GLOB installs ${build}-torch-*/cmake_install.cmake)
foreach(install IN LISTS installs)
  cmake_path(GET install PARENT_PATH tree)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${tree} ampprof TORCH_TREE /)
endforeach()
