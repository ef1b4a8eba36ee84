// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ampprof::compare {

/// Mann-Whitney U test, two-sided: tests whether the values of one sample tend to be larger than those of the other.
///
/// Exact up to kMostExact values. Among all ways to choose the first sample from the values of both samples, the
/// p-value is the share for which U is at least as far from its mean (Mann and Whitney, Ann. Math. Statist. 18, 1947,
/// 50-60). Equal values share their mean rank, and choices are counted by their sum of ranks (the shift algorithm of
/// Streitberg and Roehmel, Statistical Software Newsletter 12, 1986, 10-17). With more values, uses the normal
/// approximation with corrections for ties and continuity (Lehmann, Nonparametrics, 1975, chapter 1). Infinities are
/// ordinary values; NaN must not occur.
class RankTest {
 public:
  static constexpr std::size_t kMostExact = 40;

  /// Returns the p-value: the probability, if the samples do not differ, of a U at least as far from its mean. 1 if a
  /// sample is empty.
  double p(std::span<const double> a, std::span<const double> b);

 private:
  // Ranks times two, so that the mean ranks of ties are integers.
  using Ranks = std::vector<int>;

  /// Counts the choices of `taken` ranks by sum. Caches the counts, since all call sites without ties need the same
  /// counts.
  const std::vector<double>& sums_of_choices(std::size_t taken, const Ranks& sorted);

  std::map<std::pair<std::size_t, Ranks>, std::vector<double>> known_;
};

/// Returns the smallest possible p for these sample sizes. It occurs if all values of one sample are above all values
/// of the other.
double smallest_p(std::size_t a, std::size_t b);

}  // namespace ampprof::compare
