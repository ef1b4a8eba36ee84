# SPDX-License-Identifier: Apache-2.0
# Tests how the version is found: in repositories with and without a tag, and outside a repository.
# Run: cmake -D ROOT=<repo> -D WORK=<folder> -P version_test.cmake
cmake_minimum_required(VERSION 3.25)
include(${ROOT}/cmake/AmpprofVersion.cmake)

function(git)
  execute_process(COMMAND git -C ${WORK} -c user.name=a -c user.email=a@b -c commit.gpgsign=false ${ARGN}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect(<regex of the number> <regex of the commit>)
function(expect number_like commit_like)
  ampprof_find_version(${WORK} 0.2.0 number commit)
  if(NOT number MATCHES "^${number_like}$" OR NOT commit MATCHES "^${commit_like}$")
    message(SEND_ERROR "'${number}' and '${commit}', not ${number_like} and ${commit_like}")
  endif()
endfunction()

set(hash "[0-9a-f]")
string(REPEAT ${hash} 40 whole_hash)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
expect("0[.]2[.]0[.]dev0" "")

file(WRITE ${WORK}/VERSION "0.1.3\nabc123\n")
expect("0[.]1[.]3" "abc123")
file(REMOVE ${WORK}/VERSION)

git(init --quiet)
file(WRITE ${WORK}/file "1")
git(add file)
git(commit --quiet -m one)
expect("0[.]2[.]0[.]dev1[+]g${hash}+" ${whole_hash})
file(WRITE ${WORK}/file "2")
expect("0[.]2[.]0[.]dev1[+]g${hash}+[.]dirty" ${whole_hash})
git(commit --quiet -a -m two)
git(tag -a v0.2.0 -m v0.2.0)
expect("0[.]2[.]0" ${whole_hash})
file(WRITE ${WORK}/file "3")
expect("0[.]2[.]0[.]post0[+]g${hash}+[.]dirty" ${whole_hash})
git(commit --quiet -a -m three)
expect("0[.]2[.]0[.]post1[+]g${hash}+" ${whole_hash})

# The file is written only if its contents change.
set(write ${CMAKE_COMMAND} -D ROOT=${WORK} -D NEXT=0.2.0 -D TEMPLATE=${ROOT}/reports/version/version.cpp.in
  -D OUTPUT=${WORK}/version.cpp -P ${ROOT}/cmake/write_version.cmake)
execute_process(COMMAND ${write} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK}/version.cpp text)
if(NOT text MATCHES "return \"0[.]2[.]0[.]post1[+]g")
  message(SEND_ERROR "no version in:\n${text}")
endif()
file(TIMESTAMP ${WORK}/version.cpp before "%s%f")
execute_process(COMMAND ${write} COMMAND_ERROR_IS_FATAL ANY)
file(TIMESTAMP ${WORK}/version.cpp after "%s%f")
if(NOT before STREQUAL after)
  message(SEND_ERROR "written anew without a change")
endif()
