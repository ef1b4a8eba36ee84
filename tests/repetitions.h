// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace ampprof::test_support {

/// Returns whether repetitions run: `make test-long` sets AMPPROF_LONG_TESTS.
inline bool runs_repetitions() { return std::getenv("AMPPROF_LONG_TESTS") != nullptr; }

/// Returns one case of each kind, and the other cases behind them where repetitions run. So which parametrized tests
/// there are depends on the environment: where each is an entry of ctest, AMPPROF_REPETITION() is for them.
template <typename Case>
std::vector<Case> with_repetitions(std::vector<Case> kinds, const std::vector<Case>& repetitions) {
  if (runs_repetitions()) kinds.insert(kinds.end(), repetitions.begin(), repetitions.end());
  return kinds;
}

}  // namespace ampprof::test_support

/// Skips a test where repetitions do not run: another test of `make test` finds faults of its kind.
#define AMPPROF_REPETITION() \
  if (!::ampprof::test_support::runs_repetitions()) GTEST_SKIP() << "a repetition of a kind; make test-long runs it"
