# SPDX-License-Identifier: Apache-2.0
# What this ampprof is: asked of git, or where there is no repository, of the file VERSION that packages of the sources
# hold. Included by the root CMakeLists.txt, and by write_version.cmake at each build.
include_guard()

# ampprof_find_version(<root> <next> <number> <commit>)
# Sets <number> and <commit> for the sources in <root>; <next> is the version that they become. <number> is pip's:
# 0.1.0 where a tag v0.1.0 stands, 0.1.0.post7+g1df7dc1a2b seven commits later, 0.1.0.dev7+g1df7dc1a2b where no tag stands,
# 0.1.0.dev0 where there is no repository; .dirty ends it where files differ from the commit. <commit> is empty where nobody
# knows it.
function(ampprof_find_version root next number commit)
  set(found ${next}.dev0)  # where nobody knows
  set(hash "")
  if(EXISTS ${root}/.git)
    find_program(AMPPROF_GIT git)
    mark_as_advanced(AMPPROF_GIT)
    _ampprof_git(${root} hash rev-parse HEAD)
    _ampprof_git(${root} described describe --tags --long --always --abbrev=10 --dirty=.dirty --match=v[0-9]*)
    if(described MATCHES "^v([0-9.]+)-0-g[0-9a-f]+$")
      set(found ${CMAKE_MATCH_1})
    elseif(described MATCHES "^v([0-9.]+)-([0-9]+)-(g[0-9a-f]+(\\.dirty)?)$")
      set(found ${CMAKE_MATCH_1}.post${CMAKE_MATCH_2}+${CMAKE_MATCH_3})
    elseif(described MATCHES "^[0-9a-f]+(\\.dirty)?$")
      _ampprof_git(${root} commits rev-list --count HEAD)
      set(found ${next}.dev${commits}+g${described})
    endif()
  elseif(EXISTS ${root}/VERSION)
    file(STRINGS ${root}/VERSION lines)
    list(POP_FRONT lines found hash)
  endif()
  set(${number} "${found}" PARENT_SCOPE)
  set(${commit} "${hash}" PARENT_SCOPE)
endfunction()

# _ampprof_git(<root> <variable> <argument>...): the output of git; empty where it fails.
function(_ampprof_git root variable)
  set(output "")
  if(AMPPROF_GIT)
    execute_process(COMMAND ${AMPPROF_GIT} -C ${root} ${ARGN}
      OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      set(output "")
    endif()
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
