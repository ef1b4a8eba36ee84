// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace ampprof::advice {

/// Effect of errors on one loss. All three figures add up over call sites.
struct Effect {
  double mean = 0.0;      ///< sum of the means over steps, signed
  double variance = 0.0;  ///< sum of (mean of squares - square of mean); may be negative
  double squares = 0.0;   ///< sum of the expected squares

  void add(const Effect& other);
  bool operator==(const Effect&) const = default;
};

/// Returns the effect of one error from its mean over steps and its size (queries::ImpactRow::size()). With few steps
/// the mean may exceed the size, which is noise.
Effect effect_of(double mean, double size);

/// Effects by loss id.
using Effects = std::map<int, Effect>;

void add(Effects& into, const Effects& part);

/// Predicts the root mean square change of the losses: sqrt(mean^2 + variance), with the signs that were seen, or
/// sqrt(squares), with independent signs, whichever is larger. The second keeps errors that cancelled only on the
/// recorded steps. For a single part this is its own root mean square. Losses add in squares.
double predicted_impact(const Effects& effects);

/// The parts to choose from, and the goal.
struct CoverTask {
  std::vector<Effects> parts = {};          ///< each can be left out as a whole
  std::vector<std::size_t> mandatory = {};  ///< places of parts that must be left out
  Effects rest = {};                        ///< effects that cannot be left out
  double goal = 0.0;                        ///< wanted impact of the remaining parts
};

/// Returns the fewest parts, mandatory ones included, without which the predicted impact is at most `goal`, in
/// ascending order. Among equal numbers it picks those that leave the least. If leaving out all parts does not reach
/// the goal, the goal becomes 1.1 times the least that can be reached. The search is exact up to 200,000 sets (all sets
/// of up to 3 out of 100 parts). Beyond that it takes one part after the other, each time the one that leaves the
/// least. If the sum of squares decides, this greedy choice is the smallest set too.
std::vector<std::size_t> smallest_cover(const CoverTask& task);

}  // namespace ampprof::advice
