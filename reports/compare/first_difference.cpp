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
using ByKey = std::map<Key, std::vector<const Row*>>;  // a loop in one module may make several calls of one key

constexpr double kOffBy = 1.5;

Key key_of(const Row& row) { return {row.step, row.phase, row.module, row.op, row.position, row.ordinal}; }

ByKey by_key(const Sketches& sketches) {
  ByKey keyed;
  for (const Row& row : sketches) keyed[key_of(row)].push_back(&row);
  return keyed;
}

/// The n-th call of each key of a run with the n-th of the other.
class CallsOfOther {
 public:
  explicit CallsOfOther(const Sketches& other) : others_(by_key(other)) {}

  /// Null where the other run has no such call. Each call is given once.
  const Row* next(const Row& row) {
    const auto found = others_.find(key_of(row));
    if (found == others_.end()) return nullptr;
    std::size_t& taken = taken_[&found->second];
    return taken < found->second.size() ? found->second[taken++] : nullptr;
  }

 private:
  const ByKey others_;
  std::map<const void*, std::size_t> taken_;
};

bool same_bits(const Sketch& a, const Sketch& b) { return a.elements == b.elements && a.checksum == b.checksum; }

std::optional<double> relative_distance(const Sketch& a, const Sketch& b) {
  if (a.elements != b.elements) return std::nullopt;
  const double norm = std::sqrt(std::max(a.sum_sq, b.sum_sq));
  return norm > 0 ? std::optional(ampprof::distance(a, b) / norm) : std::nullopt;
}

/// Keeps the largest relative distance between repeats of one side, by call.
void add_noise(const std::vector<Sketches>& repeats, std::map<Key, double>& noise) {
  for (std::size_t i = 1; i < repeats.size(); ++i) {
    CallsOfOther calls(repeats[i]);
    for (const Row& row : repeats.front()) {
      const Row* other = calls.next(row);
      if (other == nullptr || same_bits(row.sketch, other->sketch)) continue;
      const auto relative = relative_distance(row.sketch, other->sketch);
      double& largest = noise[key_of(row)];
      const bool is_measured = relative && row.sketch.nonfinite == other->sketch.nonfinite;
      largest = std::max(largest, is_measured ? *relative : std::numeric_limits<double>::infinity());
    }
  }
}

DifferingCall compared(const Row& a, const Row& b, double noise) {
  DifferingCall call{.a = &a, .b = &b, .inputs_same = a.sketch.inputs == b.sketch.inputs};
  if (a.sketch.elements == b.sketch.elements) call.distance = ampprof::distance(a.sketch, b.sketch);
  call.relative = relative_distance(a.sketch, b.sketch);
  call.noise = noise;
  // Bits may differ where no number does: 0 and -0, NaN and NaN; that is no more than what repeats do, if they do.
  const bool more_nonfinite = a.sketch.nonfinite != b.sketch.nonfinite && !std::isinf(noise);
  call.beyond_noise = noise == 0.0 || !call.relative || more_nonfinite || *call.relative > kOffBy * noise;
  return call;
}

}  // namespace

FirstDifference first_difference(const std::vector<Sketches>& a, const std::vector<Sketches>& b,
                                 Strictness strictness) {
  FirstDifference result;
  if (a.empty() || b.empty()) return result;
  std::map<Key, double> noise;
  if (strictness == Strictness::BeyondNoise) {
    add_noise(a, noise);
    add_noise(b, noise);
  }
  CallsOfOther calls(b.front());
  for (const Row& row : a.front()) {
    const Row* other = calls.next(row);
    if (other == nullptr) {
      ++result.only_a;
      continue;
    }
    ++result.compared;
    if (same_bits(row.sketch, other->sketch)) continue;
    const auto known = noise.find(key_of(row));
    result.differing.push_back(compared(row, *other, known == noise.end() ? 0.0 : known->second));
    if (!result.first && result.differing.back().beyond_noise) result.first = result.differing.size() - 1;
  }
  result.only_b = b.front().size() - result.compared;
  return result;
}

}  // namespace ampprof::compare
