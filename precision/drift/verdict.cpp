// SPDX-License-Identifier: Apache-2.0
// The order of the rules and the thresholds were tuned on programs whose drift is known: README.md.

#include <cmath>
#include <cstddef>

#include "precision/drift/followed_sample.h"

namespace ampprof::drift {
namespace {

constexpr double kFine = 0.01;
constexpr std::int64_t kLeastSegments = 4;
constexpr double kInheritedRatio = 3.0;
constexpr double kLost = 0.2;
constexpr double kFewLost = 0.05;
constexpr double kOneWay = 2.5;
/// Limit for the cosine of D and W (see Drift), in units of 1 / sqrt(number of elements), the standard deviation of a
/// random cosine.
constexpr double kCertain = 5.0;
constexpr std::int64_t kFewElements = 32;
constexpr double kBiased = 0.01;
constexpr double kBoundedUlps = 1.0;
constexpr double kBoundedGrowth = 0.25;
constexpr double kPaired = 0.3;

/// Returns whether D points along W (see Drift) more than by chance. With few elements chance cannot be excluded; the
/// function then returns true.
bool points_along_ways(const Drift& of) {
  if (std::abs(of.bias) <= kBiased) return false;
  const double cosine = of.drift == 0.0 ? 0.0 : of.bias / of.drift;
  return of.sampled < kFewElements || std::abs(cosine) * std::sqrt(static_cast<double>(of.sampled)) > kCertain;
}

double sum_of_squares(std::span<const double> of) {
  double sum = 0.0;
  for (const double value : of) sum += value * value;
  return sum;
}

/// Returns |D + D'|^2.
double square_of_sum(std::span<const double> d, std::span<const double> other) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d.size(); ++i) sum += (d[i] + other[i]) * (d[i] + other[i]);
  return sum;
}

}  // namespace

DriftClass verdict_of(const Drift& of, const ErrorPattern& manner) {
  if (of.broken > 0) return DriftClass::Broken;
  if (of.drift < kFine) return DriftClass::Fine;
  if (of.segments < kLeastSegments) return DriftClass::Short;
  if (of.own > 0.0 && of.own < of.drift / kInheritedRatio) return DriftClass::Inherited;
  if (!manner.adds_up && of.ulps <= kBoundedUlps) return DriftClass::Bounded;
  if (!manner.rounded_at_random && of.lost > kFewLost) return of.lost >= kLost ? DriftClass::Lost : DriftClass::FewLost;
  if (of.walk > kOneWay) return points_along_ways(of) ? DriftClass::Biased : DriftClass::Correlated;
  if (of.ulps <= kBoundedUlps && of.growth.value_or(0.0) <= kBoundedGrowth) return DriftClass::Bounded;
  return DriftClass::Unbiased;
}

void find_compensated(std::span<Pairing> tensors) {
  for (Pairing& tensor : tensors) {
    Drift& drift = *tensor.drift;
    if (drift.verdict == DriftClass::Broken || drift.drift < kFine || drift.segments < kLeastSegments) continue;
    const double squares = sum_of_squares(tensor.difference);
    for (const Pairing& other : tensors) {
      if (&other == &tensor || other.drift->elements != drift.elements) continue;
      const double left = square_of_sum(tensor.difference, other.difference);
      if (!(left < kPaired * kPaired * squares)) continue;
      drift.verdict = tensor.exact_is_small ? DriftClass::Residue : DriftClass::Compensated;
      if (!tensor.exact_is_small) drift.effective = drift.way == 0.0 ? 0.0 : std::sqrt(left) / drift.way;
      break;
    }
  }
}

}  // namespace ampprof::drift
