// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace ampprof::advice {

/// The effect of errors on one loss. All three figures add up over call sites.
struct Effect {
  double mean = 0.0;      ///< sum of the means over steps, signed
  double variance = 0.0;  ///< sum of what the squares are more than those of the means; may be less than 0
  double squares = 0.0;   ///< sum of the expected squares

  void add(const Effect& other);
  bool operator==(const Effect&) const = default;
};

/// Returns the effect of one error, by its mean over steps and its size (queries::ImpactRow::size()). From few steps
/// the mean may be the larger one: that is noise.
Effect effect_of(double mean, double size);

/// By loss id.
using Effects = std::map<int, Effect>;

void add(Effects& into, const Effects& part);

/// Root mean square change of the losses, as far as the parts tell: with the signs as they were seen, sqrt(mean^2 +
/// variance), or with independent signs, sqrt(squares), whichever is larger. That two errors cancelled on the recorded
/// steps is no reason to count on it. Of one part alone it is that part's own root mean square. Losses add in squares.
double predicted_impact(const Effects& effects);

/// Asks which parts to leave out.
struct CoverTask {
  std::vector<Effects> parts = {};          ///< may be left out, each as a whole
  std::vector<std::size_t> mandatory = {};  ///< of these, left out in any case
  Effects rest = {};                        ///< what cannot be left out
  double goal = 0.0;                        ///< wanted impact of what remains
};

/// Fewest parts, the mandatory ones among them, without which the predicted impact is at most `goal`; of equal numbers
/// those that leave the least. In ascending order. Where leaving out all of them does not reach the goal, as many as
/// come within a tenth of that. Exact while 200,000 sets suffice, which are all sets of up to 3 out of 100 parts;
/// beyond that one part after the other is taken, each time the one that leaves the least. Where the sum of squares
/// decides that is the smallest set too.
std::vector<std::size_t> smallest_cover(const CoverTask& task);

}  // namespace ampprof::advice
