# SPDX-License-Identifier: Apache-2.0
# Arranges the files of the Debian packages. ampprof itself stays in /usr/lib/ampprof, as in any installation. Files
# that other programs look for are moved or linked to the standard folders. cpack runs this script before it packs the
# packages in CPACK_TEMPORARY_DIRECTORY.

# _moved(<package> <from> <to>): moves a folder within a package, if it has that folder.
function(_moved package from to)
  if(EXISTS ${package}/usr/lib/ampprof/${from})
    cmake_path(GET to PARENT_PATH parent)
    file(MAKE_DIRECTORY ${package}/usr/${parent})
    file(RENAME ${package}/usr/lib/ampprof/${from} ${package}/usr/${to})
  endif()
endfunction()

function(_linked_programs package)
  file(GLOB programs RELATIVE ${package}/usr/lib/ampprof/bin ${package}/usr/lib/ampprof/bin/*)
  foreach(program IN LISTS programs)
    file(MAKE_DIRECTORY ${package}/usr/bin)
    file(CREATE_LINK ../lib/ampprof/bin/${program} ${package}/usr/bin/${program} SYMBOLIC)
  endforeach()
endfunction()

# Lets find_package(amp_core) work without CMAKE_PREFIX_PATH.
function(_found_by_cmake package)
  set(folder lib/cmake/amp_core)
  file(GLOB configs RELATIVE ${package}/usr/lib/ampprof/${folder} ${package}/usr/lib/ampprof/${folder}/amp_coreConfig*.cmake)
  foreach(config IN LISTS configs)
    file(WRITE ${package}/usr/${folder}/${config} "include(/usr/lib/ampprof/${folder}/${config})\n")
  endforeach()
endfunction()

# Both components install libamp_core.so and its dependencies. Keeps them only in the package ampprof, whose recorders
# need them.
file(GLOB libraries ${CPACK_TEMPORARY_DIRECTORY}/dev/usr/lib/ampprof/lib/torch-*/*.so)
file(REMOVE ${libraries})

set(name_of_recorder ampprof)
set(name_of_window ampprof-gui)
set(name_of_dev libamp-core-dev)
foreach(group recorder window dev)
  set(package ${CPACK_TEMPORARY_DIRECTORY}/${group})
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../../scripts/ship/sbom ${package}/usr/lib/ampprof ${name_of_${group}} ${CPACK_PACKAGE_VERSION}
    COMMAND_ERROR_IS_FATAL ANY)
  _linked_programs(${package})
  _moved(${package} share/zsh/site-functions share/zsh/vendor-completions)
  foreach(folder applications bash-completion doc icons man mime)
    _moved(${package} share/${folder} share/${folder})
  endforeach()
  _found_by_cmake(${package})
endforeach()
