// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/rank_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ampprof::compare {
namespace {

struct Ranked {
  std::vector<int> sorted;  ///< doubled ranks of all values
  int sum_of_first = 0;     ///< sum of the doubled ranks of the first sample
  double ties = 0.0;        ///< sum of t^3 - t over groups of t equal values
};

Ranked ranked(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> values;  // value, and whether it belongs to the first sample
  for (const double value : a) values.emplace_back(value, true);
  for (const double value : b) values.emplace_back(value, false);
  std::sort(values.begin(), values.end());
  Ranked result;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    while (end < values.size() && values[end].first == values[begin].first) ++end;
    const auto rank = static_cast<int>(begin + 1 + end);  // twice the mean of the ranks begin + 1 to end
    for (std::size_t i = begin; i < end; ++i) result.sum_of_first += values[i].second ? rank : 0;
    result.sorted.insert(result.sorted.end(), end - begin, rank);
    const auto equal = static_cast<double>(end - begin);
    result.ties += equal * equal * equal - equal;
    begin = end;
  }
  return result;
}

double normal_p(double distance, double n_a, double n_b, double ties) {
  const double n = n_a + n_b;
  const double variance = n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1)));
  if (variance <= 0) return 1.0;
  const double z = std::max(0.0, distance - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

}  // namespace

const std::vector<double>& RankTest::sums_of_choices(std::size_t taken, const Ranks& sorted) {
  const auto [found, is_new] = known_.try_emplace({taken, sorted});
  if (!is_new) return found->second;
  const auto total = static_cast<std::size_t>(std::accumulate(sorted.begin(), sorted.end(), 0));
  std::vector<std::vector<double>> ways(taken + 1, std::vector<double>(total + 1));  // [number taken][sum]
  ways[0][0] = 1;
  for (const int rank : sorted) {
    for (std::size_t k = taken; k > 0; --k) {
      const auto more = static_cast<std::size_t>(rank);
      for (std::size_t sum = total - more + 1; sum-- > 0;) ways[k][sum + more] += ways[k - 1][sum];
    }
  }
  return found->second = std::move(ways[taken]);
}

double RankTest::p(std::span<const double> a, std::span<const double> b) {
  const Ranked both = ranked(a, b);
  const auto n_a = static_cast<double>(a.size());
  const auto n_b = static_cast<double>(b.size());
  const double mean = n_a * (n_a + n_b + 1);  // doubled sum of ranks
  const double distance = std::abs(both.sum_of_first - mean);
  if (a.size() + b.size() > kMostExact) return normal_p(distance / 2, n_a, n_b, both.ties);

  const std::vector<double>& ways = sums_of_choices(a.size(), both.sorted);
  double as_far = 0;
  double all = 0;
  for (double sum = 0; const double count : ways) {
    all += count;
    if (std::abs(sum - mean) >= distance) as_far += count;
    ++sum;
  }
  return as_far / all;
}

double smallest_p(std::size_t a, std::size_t b) {
  double choices = 1;
  for (std::size_t i = 1; i <= a; ++i) choices *= static_cast<double>(b + i) / static_cast<double>(i);
  return std::min(1.0, 2 / choices);
}

}  // namespace ampprof::compare
