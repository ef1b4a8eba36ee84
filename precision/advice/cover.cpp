// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/cover.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ampprof::advice {
namespace {

constexpr std::size_t kMostSets = 200'000;
constexpr double kGoalSlack = 1.1;  // the goal is at least this multiple of the smallest possible impact

using Places = std::vector<std::size_t>;

Effects without(Effects whole, const Effects& part) {
  for (const auto& [loss, effect] : part) {
    Effect& left = whole[loss];
    left.mean -= effect.mean;
    left.variance -= effect.variance;
    left.squares = std::max(0.0, left.squares - effect.squares);
  }
  return whole;
}

/// Tries all sets of a given number of free (not mandatory) parts to leave out, and keeps the best set.
class Search {
 public:
  Search(const CoverTask& task, const Places& free) : task_(task), free_(free) {}

  /// Tries all sets of `size` parts. Returns false if the limit on the number of sets was reached. `left` is the effect
  /// that remains if no free part is left out.
  bool look_at(std::size_t size, const Effects& left) {
    least_ = std::numeric_limits<double>::infinity();
    return extend(0, size, left);
  }

  double least() const { return least_; }
  const Places& best() const { return best_; }

 private:
  bool extend(std::size_t from, std::size_t more, const Effects& left) {
    if (more == 0) {
      if (++sets_ > kMostSets) return false;
      const double impact = predicted_impact(left);
      if (impact < least_) {
        least_ = impact;
        best_ = chosen_;
      }
      return true;
    }
    for (std::size_t i = from; i + more <= free_.size(); ++i) {
      chosen_.push_back(free_[i]);
      const bool goes_on = extend(i + 1, more - 1, without(left, task_.parts[free_[i]]));
      chosen_.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  const CoverTask& task_;
  const Places& free_;
  Places chosen_ = {};
  Places best_ = {};
  double least_ = 0.0;
  std::size_t sets_ = 0;
};

/// Leaves out one part after another, each time the one whose removal leaves the least impact, until the goal is
/// reached.
Places greedy_cover(const CoverTask& task, Places free, Effects left, double goal) {
  Places taken;
  while (!free.empty() && predicted_impact(left) > goal) {
    const auto best = std::ranges::min_element(
        free, {}, [&](std::size_t part) { return predicted_impact(without(left, task.parts[part])); });
    left = without(std::move(left), task.parts[*best]);
    taken.push_back(*best);
    free.erase(best);
  }
  return taken;
}

}  // namespace

void Effect::add(const Effect& other) {
  mean += other.mean;
  variance += other.variance;
  squares += other.squares;
}

Effect effect_of(double mean, double size) {
  const double squares = size * size;
  return {mean, squares - mean * mean, squares};
}

void add(Effects& into, const Effects& part) {
  for (const auto& [loss, effect] : part) into[loss].add(effect);
}

double predicted_impact(const Effects& effects) {
  double sum = 0.0;
  for (const auto& [loss, effect] : effects) {
    sum += std::max(effect.mean * effect.mean + effect.variance, effect.squares);
  }
  return std::sqrt(sum);
}

std::vector<std::size_t> smallest_cover(const CoverTask& task) {
  Places free;
  Effects left = task.rest;  // sum of the effects of `rest` and of all free parts
  for (std::size_t i = 0; i < task.parts.size(); ++i) {
    if (std::ranges::find(task.mandatory, i) != task.mandatory.end()) continue;
    free.push_back(i);
    add(left, task.parts[i]);
  }
  const double goal = std::max(task.goal, predicted_impact(task.rest) * kGoalSlack);
  Search search(task, free);
  Places found;
  for (std::size_t size = 0; size <= free.size(); ++size) {
    if (!search.look_at(size, left)) {
      found = greedy_cover(task, free, left, goal);
      break;
    }
    found = search.best();
    if (search.least() <= goal) break;
  }
  found.insert(found.end(), task.mandatory.begin(), task.mandatory.end());
  std::ranges::sort(found);
  return found;
}

}  // namespace ampprof::advice
