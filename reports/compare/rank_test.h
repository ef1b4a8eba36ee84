// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ampprof::compare {

/// Mann-Whitney U test, two-sided: are the values of one sample larger than those of the other more often than chance
/// would have it?
///
/// Exact up to kMostExact values: the share of all ways to choose the first sample out of both whose U is as far from
/// its mean as the one seen (Mann and Whitney, Ann. Math. Statist. 18, 1947, 50-60). Equal values share their mean
/// rank, and the count goes over the sums of these ranks (the shift algorithm of Streitberg and Roehmel, Statistical
/// Software Newsletter 12, 1986, 10-17). Beyond that the normal approximation with corrections for ties and continuity
/// (Lehmann, Nonparametrics, 1975, chapter 1). Infinities are values like others; NaN must not occur.
class RankTest {
 public:
  static constexpr std::size_t kMostExact = 40;

  /// Probability of a U at least so far from its mean where there is no difference. 1 where a sample is empty.
  double p(std::span<const double> a, std::span<const double> b);

 private:
  // Doubled, so that mean ranks are integers.
  using Ranks = std::vector<int>;

  /// How many of the choices of `taken` ranks have each sum. Kept: without ties all call sites ask the same.
  const std::vector<double>& sums_of_choices(std::size_t taken, const Ranks& sorted);

  std::map<std::pair<std::size_t, Ranks>, std::vector<double>> known_;
};

/// The smallest p that samples of these sizes can have: all values of one above all of the other.
double smallest_p(std::size_t a, std::size_t b);

}  // namespace ampprof::compare
