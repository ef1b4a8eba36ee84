// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace ampprof::test_support {

/// Returns whether repetitions run: `make test-long` sets AMPPROF_LONG_TESTS.
inline bool runs_repetitions() { return std::getenv("AMPPROF_LONG_TESTS") != nullptr; }

/// Returns one case of each kind, followed by the repetitions if they run. The list of cases thus depends on the
/// environment when the test runs. ctest lists cases when the test is built, so tests with one ctest entry per case use
/// AMPPROF_REPETITION() instead.
template <typename Case>
std::vector<Case> with_repetitions(std::vector<Case> kinds, const std::vector<Case>& repetitions) {
  if (runs_repetitions()) kinds.insert(kinds.end(), repetitions.begin(), repetitions.end());
  return kinds;
}

}  // namespace ampprof::test_support

/// Skips a test if repetitions do not run: another test of `make test` finds the same kind of fault.
#define AMPPROF_REPETITION() \
  if (!::ampprof::test_support::runs_repetitions()) GTEST_SKIP() << "a repetition of a kind; make test-long runs it"
