# SPDX-License-Identifier: Apache-2.0
# Determines the version of ampprof: from git, or in a source package, which has no repository, from the file VERSION.
# Included by the root CMakeLists.txt, and by write_version.cmake at each build.
include_guard()

# ampprof_find_version(<root> <next> <number> <commit>)
# Sets <number> and <commit> for the sources in <root>. <next> is the version of the next release, for sources without a
# tag. <number> has the form of PEP 440: 0.1.0 at the tag v0.1.0, 0.1.0.post7+g1df7dc1a2b seven commits later,
# 0.1.0.dev7+g1df7dc1a2b without a tag, 0.1.0.dev0 without a repository. It ends in .dirty if files differ from the
# commit. <commit> is empty if unknown.
function(ampprof_find_version root next number commit)
  set(found ${next}.dev0)  # without git and without VERSION
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

# _ampprof_git(<root> <variable> <argument>...): runs git, and sets the variable to its output; "" after a failure.
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
