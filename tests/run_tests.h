// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::testing_main {

/// Runs the tests of a program, or with --file=PATH only those of the source file whose path ends in PATH, so that each
/// file of a folder can be a process of its own. Returns the exit code; 2 where no test is in that file.
int run_tests(int count, char** arguments);

}  // namespace ampprof::testing_main
