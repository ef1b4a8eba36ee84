// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reports/compare/rank_test.h"

namespace ampprof::compare {

/// Tells whether a metric may differ between two runs that compute the same values.
enum class Repeatability {
  Noisy,         ///< times and memory: never equal
  Reproducible,  ///< errors and counts: bit-identical if the program is deterministic
};

enum class Verdict { Same, Differs, CannotTell };

/// The basis of a verdict.
enum class Basis {
  RankTest,       ///< repeats on both sides
  RepeatsAgree,   ///< all repeats of a side are equal, so the sides are compared directly
  Equal,          ///< one run on a side; the values are equal to the last bit
  Deterministic,  ///< one run on a side; the runs are deterministic, so they are compared directly
  NoRepeats,      ///< one run on a side, so noise could explain a difference
  TooFewRepeats,  ///< too few repeats for the rank test to reach significance, whatever the values
};

/// Words for JSON: never rename. "no_difference", "differs", "cannot_tell"; "rank_test", "repeats_agree", ...
std::string_view name_of(Verdict verdict);
std::string_view name_of(Basis basis);

/// The values of a metric on both sides, and the verdict.
struct Compared {
  std::optional<double> a = {};  ///< median over the repeats; NaN if one is NaN
  std::optional<double> b = {};
  std::optional<Verdict> verdict = {};  ///< empty if a side has no value
  std::optional<double> p = {};         ///< p of the rank test, if there was one
  std::optional<Basis> basis = {};

  /// Returns |log2(b / a)|; infinite if one value is zero or not finite, or if the signs differ; 0 for equal values and
  /// for two missing ones.
  double change() const;
};

/// The significance level, and facts about the runs.
struct TestSettings {
  double alpha = 0.05;         ///< a rank test with p at most this says "differs"
  bool deterministic = false;  ///< both sides ran with deterministic algorithms
};

/// Compares a metric on two sides, given one value per repeat. A NaN counts as larger than all numbers.
Compared compare_samples(std::vector<double> a, std::vector<double> b, Repeatability figures,
                         const TestSettings& confidence, RankTest& rank_test);

}  // namespace ampprof::compare
