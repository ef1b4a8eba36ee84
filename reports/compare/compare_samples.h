// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reports/compare/rank_test.h"

namespace ampprof::compare {

/// Tells whether two runs of one program that do the same may differ in a figure.
enum class Figures {
  Noisy,         ///< times and memory: never the same twice
  Reproducible,  ///< errors and counts: the same to the last bit where the program is deterministic
};

enum class Verdict { Same, Differs, CannotTell };

/// Tells what a verdict rests on.
enum class Basis {
  RankTest,       ///< repeats on both sides
  RepeatsAgree,   ///< all repeats of a side are equal, so sides are compared directly
  Equal,          ///< one run on a side, equal to the last bit
  Deterministic,  ///< one run on a side; the runs were set to be deterministic, so they are compared directly
  NoRepeats,      ///< one run on a side: nothing tells a difference from noise
  TooFewRepeats,  ///< whatever the values, a rank test of so few could not tell
};

/// In JSON: never rename. "no_difference", "differs", "cannot_tell"; "rank_test", "repeats_agree", ...
std::string_view name_of(Verdict verdict);
std::string_view name_of(Basis basis);

/// A figure on both sides.
struct Compared {
  std::optional<double> a = {};  ///< median over the repeats; NaN where one is
  std::optional<double> b = {};
  std::optional<Verdict> verdict = {};  ///< empty where a side has no value
  std::optional<double> p = {};         ///< of the rank test, where there was one
  std::optional<Basis> basis = {};

  /// |log2(b / a)|; infinite where one is zero or not finite; 0 for equal ones and without a value on both sides.
  double change() const;
};

/// How sure one wants to be, and what is known of the runs.
struct TestSettings {
  double alpha = 0.05;         ///< a rank test with p at most this says "differs"
  bool deterministic = false;  ///< both sides ran with deterministic algorithms
};

/// One value per repeat. A NaN counts as larger than all numbers.
Compared compare_samples(std::vector<double> a, std::vector<double> b, Figures figures, const TestSettings& confidence,
                         RankTest& rank_test);

}  // namespace ampprof::compare
