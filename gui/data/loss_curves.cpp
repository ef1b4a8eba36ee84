// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/loss_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace ampprof::gui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Returns the median of `all` values. `finite`: the finite values, sorted; non-finite values count as larger. For an
/// even number of values, returns the smaller of the two middle values, so that the median is the loss of a rank.
double medianOf(const std::vector<double>& finite, std::size_t all) {
  const std::size_t middle = (all - 1) / 2;
  return middle < finite.size() ? finite[middle] : kNone;
}

}  // namespace

LossBand bandOf(const std::vector<std::vector<queries::StepValue>>& ranks, std::string name) {
  std::map<std::int64_t, std::vector<double>> steps;
  for (const std::vector<queries::StepValue>& rank : ranks) {
    for (const queries::StepValue& loss : rank) steps[loss.step].push_back(loss.value);
  }
  LossBand band{.name = std::move(name), .median = {}, .least = {}, .largest = {}};
  for (auto& [step, losses] : steps) {
    const std::size_t all = losses.size();
    std::erase_if(losses, [](double loss) { return !std::isfinite(loss); });
    std::ranges::sort(losses);
    band.median.push_back({step, medianOf(losses, all)});
    band.least.push_back({step, losses.empty() ? kNone : losses.front()});
    band.largest.push_back({step, losses.empty() ? kNone : losses.back()});
  }
  return band;
}

}  // namespace ampprof::gui
