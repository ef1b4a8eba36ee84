// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/first_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace ampprof::compare {
namespace {

using Row = queries::SketchRow;
using Key = std::tuple<std::int64_t, Phase, std::string, std::string, std::int32_t, std::int32_t>;
using Noise = std::map<Key, double>;

constexpr double kOffBy = 1.5;

Key key_of(const Row& row) { return {row.step, row.phase, row.module, row.op, row.position, row.ordinal}; }

std::optional<double> relative_distance(const Sketch& a, const Sketch& b) {
  if (a.elements != b.elements) return std::nullopt;
  const double norm = std::sqrt(std::max(a.sum_sq, b.sum_sq));
  return norm > 0 ? std::optional(ampprof::distance(a, b) / norm) : std::nullopt;
}

/// Returns for each call of a side's first run the largest relative distance to the same call in the repeats.
Noise noise_of(const std::vector<Sketches>& repeats) {
  Noise noise;
  for (std::size_t i = 1; i < repeats.size(); ++i) {
    const std::vector<const Row*> others = paired_calls(repeats.front(), repeats[i]);
    for (std::size_t call = 0; call < others.size(); ++call) {
      const Row& row = repeats.front()[call];
      const Row* other = others[call];
      if (other == nullptr || same_bits(row.sketch, other->sketch)) continue;
      const auto relative = relative_distance(row.sketch, other->sketch);
      double& largest = noise[key_of(row)];
      const bool is_measured = relative && row.sketch.nonfinite == other->sketch.nonfinite;
      largest = std::max(largest, is_measured ? *relative : std::numeric_limits<double>::infinity());
    }
  }
  return noise;
}

double noise_at(const Noise& noise, const Row& call) {
  const auto known = noise.find(key_of(call));
  return known == noise.end() ? 0.0 : known->second;
}

/// Returns the calls in `sketches` that are not among `partners`.
std::vector<const Row*> rest_of(const Sketches& sketches, const std::vector<const Row*>& partners) {
  std::vector<bool> is_taken(sketches.size());
  for (const Row* partner : partners) {
    if (partner != nullptr) is_taken[static_cast<std::size_t>(partner - sketches.data())] = true;
  }
  std::vector<const Row*> rest;
  for (std::size_t i = 0; i < sketches.size(); ++i) {
    if (!is_taken[i]) rest.push_back(&sketches[i]);
  }
  return rest;
}

DifferingCall compared(const Row& a, const Row& b, double noise) {
  DifferingCall call{.a = &a, .b = &b, .inputs_same = a.sketch.inputs == b.sketch.inputs};
  if (a.sketch.elements == b.sketch.elements) call.distance = ampprof::distance(a.sketch, b.sketch);
  call.relative = relative_distance(a.sketch, b.sketch);
  call.noise = noise;
  // If repeats have noise at this call, ignores bits that differ without a different number: 0 and -0, NaN and NaN.
  const bool more_nonfinite = a.sketch.nonfinite != b.sketch.nonfinite && !std::isinf(noise);
  call.beyond_noise = noise == 0.0 || !call.relative || more_nonfinite || *call.relative > kOffBy * noise;
  return call;
}

std::size_t only_before_first(const FirstDifference& found) {
  if (!found.first) return 0;
  const DifferingCall& first = found.differing[*found.first];
  const auto before = [](const std::vector<const Row*>& only, const Row* call) {
    return static_cast<std::size_t>(std::ranges::lower_bound(only, call) - only.begin());
  };
  return before(found.only_a, first.a) + before(found.only_b, first.b);
}

}  // namespace

FirstDifference first_difference(const std::vector<Sketches>& a, const std::vector<Sketches>& b,
                                 Strictness strictness) {
  FirstDifference result;
  if (a.empty() || b.empty()) return result;
  const bool allows_noise = strictness == Strictness::BeyondNoise;
  const Noise of_a = allows_noise ? noise_of(a) : Noise{};
  const Noise of_b = allows_noise ? noise_of(b) : Noise{};
  const std::vector<const Row*> partners = paired_calls(a.front(), b.front());
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const Row& row = a.front()[i];
    const Row* other = partners[i];
    if (other == nullptr) {
      result.only_a.push_back(&row);
      continue;
    }
    ++result.compared;
    if (same_bits(row.sketch, other->sketch)) continue;
    result.differing.push_back(compared(row, *other, std::max(noise_at(of_a, row), noise_at(of_b, *other))));
    if (!result.first && result.differing.back().beyond_noise) result.first = result.differing.size() - 1;
  }
  result.only_b = rest_of(b.front(), partners);
  result.only_before = only_before_first(result);
  return result;
}

}  // namespace ampprof::compare
