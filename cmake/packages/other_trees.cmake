# SPDX-License-Identifier: Apache-2.0
# Trees of other versions of LibTorch, made since this one was configured (`make torch`), stand beside it.
file(GLOB trees ${CPACK_CMAKE_BUILD_DIRECTORY}-torch-*)
foreach(tree IN LISTS trees)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${tree} ampprof TORCH_TREE /)
endforeach()
