// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::testing_main {

/// Runs the tests of a program. With --file=PATH, runs only those of the source file whose path ends in PATH, so that
/// each file of a folder can be a process of its own. Returns the exit code, or 2 if that file has no tests.
int run_tests(int count, char** arguments);

}  // namespace ampprof::testing_main
