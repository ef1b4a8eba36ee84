// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace ampprof::advice {

/// Effect of errors on one loss. All three fields add up over call sites.
struct Effect {
  double mean = 0.0;      ///< sum of the means over steps, signed
  double variance = 0.0;  ///< sum of (mean of squares - square of mean); may be negative
  double squares = 0.0;   ///< sum of the expected squares

  void add(const Effect& other);
  bool operator==(const Effect&) const = default;
};

/// Returns the effect of one error from its mean over steps and its size (queries::ImpactRow::size()). With few steps
/// the mean may exceed the size; the excess is noise.
Effect effect_of(double mean, double size);

/// Effects by loss id.
using Effects = std::map<int, Effect>;

void add(Effects& into, const Effects& part);

/// Predicts the root mean square change of the losses: the larger of sqrt(mean^2 + variance), with the recorded signs,
/// and sqrt(squares), with independent signs. The second includes errors that cancelled only on the recorded steps. For
/// a single part the result is its own root mean square. The squares of several losses add up.
double predicted_impact(const Effects& effects);

/// Parts of the loss impact, some of which can be left out, and the impact to reach. To leave out a part is to remove
/// its errors by computing it in FP32.
struct CoverTask {
  std::vector<Effects> parts = {};          ///< parts, each left out as a whole or not at all
  std::vector<std::size_t> mandatory = {};  ///< indices of parts that must be left out
  Effects rest = {};                        ///< effects that cannot be left out
  double goal = 0.0;                        ///< largest allowed impact of the remaining parts
};

/// Returns the indices of the fewest parts, mandatory ones included, that must be left out to bring the predicted
/// impact down to `goal`, in ascending order. Among sets of the same size it returns the one that leaves the least
/// impact. The goal is at least 1.1 times the impact that remains when all parts are left out. The search is exact up
/// to 200,000 sets (all sets of up to 3 out of 100 parts). Beyond that limit it is greedy: it leaves out one part after
/// another, each time the one whose removal leaves the least impact. If `squares` decides the impact, the greedy set is
/// the smallest one too.
std::vector<std::size_t> smallest_cover(const CoverTask& task);

}  // namespace ampprof::advice
