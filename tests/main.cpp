// SPDX-License-Identifier: Apache-2.0
#include "tests/run_tests.h"

int main(int count, char** arguments) { return ampprof::testing_main::run_tests(count, arguments); }
