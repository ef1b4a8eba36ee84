// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/format_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace ampprof::advice {
namespace {

/// Linear conditions that every choice within the tolerances satisfies: sums over groups that stay below a limit.
/// Choices outside the tolerances may satisfy them too, since ErrorCost::bound() is not linear.
///
/// Let T be the tolerance, m the mean, v the variance, q the sum of squared means and s the upper end of the squares,
/// all relative to T. bound() <= 1 means max((|m| + sqrt(v))^2, q) + s <= 1.
/// It follows that q + s <= 1. It also follows that sqrt(v) <= 1, so that |m| + v <= |m| + sqrt(v).
/// Since x^2 >= 2ax - a^2 for any a, 2a(+-m + v) + s <= 1 + a^2.
struct Conditions {
  std::vector<double> most = {};                                 ///< limit of each condition
  std::vector<std::vector<std::vector<double>>> of_choice = {};  ///< contribution, by group, choice and condition

  std::size_t count() const { return most.size(); }
};

/// Prices of the conditions (Lagrange multipliers) and the lower bound that follows from them.
struct Multipliers {
  std::vector<double> prices = {};             ///< price of each condition, at least 0
  std::vector<std::vector<double>> cost = {};  ///< time plus the priced contributions, by group and choice
  double allowance = 0.0;                      ///< sum of price times limit over all conditions
  double least_us = 0.0;                       ///< lower bound of the time of any choice that satisfies the conditions
  std::vector<std::size_t> choices = {};       ///< choices of least cost
};

constexpr std::array kTangents{1.0, 0.5};  // values of a; each gives two conditions

bool is_none(const ErrorCost& error_cost) { return error_cost == ErrorCost{}; }

/// Calls `condition` with the contribution of an error cost to each condition and with the limit of the condition.
template <class Condition>
void each_condition(const ErrorCost& error_cost, double tolerance, const Condition& condition) {
  if (std::isinf(tolerance)) return;
  if (tolerance == 0.0) return condition(is_none(error_cost) ? 0.0 : 1.0, 0.0);
  const double square = tolerance * tolerance;
  const double mean = error_cost.mean / tolerance;
  const double variance = error_cost.variance / square;
  const double squares = error_cost.squares_high / square;
  condition(error_cost.mean_squares / square + squares, 1.0);
  for (const double a : kTangents) {
    for (const double sign : {1.0, -1.0}) condition(2 * a * (sign * mean + variance) + squares, 1 + a * a);
  }
}

template <class Condition>
void each_condition(const Choice& choice, const Tolerances& tolerances, const Condition& condition) {
  each_condition(choice.loss, tolerances.loss, condition);
  each_condition(choice.gradient, tolerances.gradient, condition);
}

Conditions conditions_of(const FormatTask& task) {
  Conditions conditions;
  each_condition(Choice{}, task.tolerances, [&](double, double most) { conditions.most.push_back(most); });
  for (const auto& group : task.groups) {
    auto& of_group = conditions.of_choice.emplace_back();
    for (const Choice& choice : group) {
      auto& of_choice = of_group.emplace_back();
      each_condition(choice, task.tolerances, [&](double adds, double) { of_choice.push_back(adds); });
    }
  }
  return conditions;
}

/// Computes costs, bound and choices for these prices.
Multipliers priced(const FormatTask& task, const Conditions& conditions, std::vector<double> prices) {
  Multipliers multipliers{.prices = std::move(prices)};
  for (std::size_t k = 0; k < conditions.count(); ++k) {
    multipliers.allowance += multipliers.prices[k] * conditions.most[k];
  }
  multipliers.least_us = -multipliers.allowance;
  for (std::size_t g = 0; g < task.groups.size(); ++g) {
    auto& cost = multipliers.cost.emplace_back();
    for (std::size_t i = 0; i < task.groups[g].size(); ++i) {
      cost.push_back(task.groups[g][i].us);
      for (std::size_t k = 0; k < conditions.count(); ++k) {
        cost.back() += multipliers.prices[k] * conditions.of_choice[g][i][k];
      }
    }
    const auto least = std::ranges::min_element(cost);
    multipliers.least_us += *least;
    multipliers.choices.push_back(static_cast<std::size_t>(least - cost.begin()));
  }
  return multipliers;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kRounds = 300;         // rounds of price changes
constexpr int kPatience = 20;        // rounds without a better bound before the step size is halved
constexpr double kRelative = 1e-12;  // smaller relative differences count as equal

using Places = std::vector<std::size_t>;

void add(Choice& into, const Choice& part) {
  into.us += part.us;
  into.loss.add(part.loss);
  into.gradient.add(part.gradient);
}

double share_of(const ErrorCost& error_cost, double tolerance) {
  const double bound = error_cost.bound();
  if (std::isinf(tolerance) || bound == 0.0) return 0.0;
  return tolerance > 0.0 ? bound / tolerance : kInfinity;
}

/// Keeps the best choices within the tolerances.
class Best {
 public:
  explicit Best(const FormatTask& task) : task_(task) {}

  bool has_any() const { return !choices_.empty() || task_.groups.empty(); }
  double us() const { return us_; }
  const Places& choices() const { return choices_; }

  void offer(const Places& choices) {
    const Choice total = total_of(task_.groups, choices);
    const double share = advice::share_of(total, task_.tolerances);
    if (share > 1.0 || total.us > us_ || (total.us == us_ && share >= share_)) return;
    us_ = total.us;
    share_ = share;
    choices_ = choices;
  }

 private:
  const FormatTask& task_;
  double us_ = kInfinity;
  double share_ = kInfinity;
  Places choices_ = {};
};

double share_with(const FormatTask& task, Places choices, std::size_t group, std::size_t choice) {
  choices[group] = choice;
  return share_of(total_of(task.groups, choices), task.tolerances);
}

/// Returns the choice with the lowest error cost for each group.
Places lowest_error(const FormatTask& task) {
  Places choices;
  for (const auto& group : task.groups) {
    const auto least = std::ranges::min_element(
        group, {}, [&](const Choice& choice) { return std::pair(share_of(choice, task.tolerances), choice.us); });
    choices.push_back(static_cast<std::size_t>(least - group.begin()));
  }
  return choices;
}

/// Sums the choices of all groups but one.
Choice total_without(const FormatTask& task, const Places& choices, std::size_t group) {
  Choice total;
  for (std::size_t g = 0; g < task.groups.size(); ++g) {
    if (g != group) add(total, task.groups[g][choices[g]]);
  }
  return total;
}

/// Repeatedly makes the change that saves the most time per used share of the tolerances, until no change fits.
Places greedy(const FormatTask& task, Places choices) {
  double share = share_of(total_of(task.groups, choices), task.tolerances);
  while (true) {
    double best = 0.0;
    std::size_t at = 0;
    std::size_t to = 0;
    double then = share;
    for (std::size_t g = 0; g < task.groups.size(); ++g) {
      const Choice others = total_without(task, choices, g);
      for (std::size_t i = 0; i < task.groups[g].size(); ++i) {
        const double saved = task.groups[g][choices[g]].us - task.groups[g][i].us;
        if (saved <= 0.0) continue;
        Choice total = others;
        add(total, task.groups[g][i]);
        const double after = share_of(total, task.tolerances);
        const double worth = saved / std::max(after - share, kRelative);
        if (after > 1.0 || worth <= best) continue;
        best = worth;
        at = g;
        to = i;
        then = after;
      }
    }
    if (best == 0.0) return choices;
    choices[at] = to;
    share = then;
  }
}

/// Replaces choices with choices that take no longer and have a lower error cost.
void settle_ties(const FormatTask& task, Places& choices) {
  for (std::size_t g = 0; g < task.groups.size(); ++g) {
    for (std::size_t i = 0; i < task.groups[g].size(); ++i) {
      const bool is_slower = task.groups[g][i].us > task.groups[g][choices[g]].us;
      const double share = share_with(task, choices, g, choices[g]);
      if (!is_slower && share_with(task, choices, g, i) < share) choices[g] = i;
    }
  }
}

/// Raises the prices of conditions that the cheapest choices violate and lowers other prices, by subgradients with
/// Polyak step sizes. Passes these choices to `best`.
Multipliers best_prices(const FormatTask& task, const Conditions& conditions, Best& best) {
  Multipliers found = priced(task, conditions, std::vector<double>(conditions.count()));
  Multipliers at = found;
  double step = 1.0;
  int waited = 0;
  for (int round = 0; round < kRounds && best.has_any(); ++round) {
    best.offer(at.choices);
    std::vector<double> excess(conditions.count());
    for (std::size_t k = 0; k < excess.size(); ++k) {
      excess[k] = -conditions.most[k];
      for (std::size_t g = 0; g < task.groups.size(); ++g) excess[k] += conditions.of_choice[g][at.choices[g]][k];
    }
    const double norm = std::inner_product(excess.begin(), excess.end(), excess.begin(), 0.0);
    if (norm == 0.0 || best.us() <= found.least_us) break;
    std::vector<double> prices = at.prices;
    for (std::size_t k = 0; k < prices.size(); ++k) {
      prices[k] = std::max(0.0, prices[k] + step * (best.us() - at.least_us) / norm * excess[k]);
    }
    at = priced(task, conditions, std::move(prices));
    waited = at.least_us > found.least_us ? 0 : waited + 1;
    if (waited == 0) found = at;
    if (waited == kPatience) {
      step /= 2;
      waited = 0;
      at = found;
    }
  }
  return found;
}

/// Visits all choices that may be better than the best one, group by group.
class Search {
 public:
  Search(const FormatTask& task, const Conditions& conditions, const Multipliers& multipliers, Best& best)
      : task_(task), conditions_(conditions), multipliers_(multipliers), best_(best), order_(task.groups.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, std::ranges::greater(), [&](std::size_t g) { return spread_of(g); });
    least_after_.assign(order_.size() + 1, std::vector<double>(conditions.count() + 1));
    for (std::size_t depth = order_.size(); depth-- > 0;) {
      for (std::size_t k = 0; k <= conditions.count(); ++k) {
        least_after_[depth][k] = least_after_[depth + 1][k] + least_of(order_[depth], k);
      }
      sorted_.insert(sorted_.begin(), by_cost(order_[depth]));
    }
  }

  /// Returns false if the limit for nodes was reached before all choices were visited.
  bool run() {
    choices_.assign(order_.size(), 0);
    return extend(0, -multipliers_.allowance, std::vector<double>(conditions_.count()));
  }

 private:
  double spread_of(std::size_t g) const {
    const auto [least, most] = std::ranges::minmax(task_.groups[g], {}, &Choice::us);
    return most.us - least.us;
  }

  double added(std::size_t g, std::size_t i, std::size_t k) const {
    return k == conditions_.count() ? multipliers_.cost[g][i] : conditions_.of_choice[g][i][k];
  }

  double least_of(std::size_t g, std::size_t k) const {
    double least = kInfinity;
    for (std::size_t i = 0; i < task_.groups[g].size(); ++i) least = std::min(least, added(g, i, k));
    return least;
  }

  Places by_cost(std::size_t g) const {
    Places places(task_.groups[g].size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, {}, [&](std::size_t i) { return multipliers_.cost[g][i]; });
    return places;
  }

  bool fits(std::size_t depth, const std::vector<double>& sums) const {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (sums[k] + least_after_[depth][k] > conditions_.most[k] + kRelative) return false;
    }
    return true;
  }

  bool extend(std::size_t depth, double cost, const std::vector<double>& sums) {
    if (++nodes_ > task_.most_nodes) return false;
    if (depth == order_.size()) {
      best_.offer(choices_);
      return true;
    }
    const std::size_t g = order_[depth];
    for (const std::size_t i : sorted_[depth]) {
      const double next = cost + multipliers_.cost[g][i];
      if (next + least_after_[depth + 1].back() >= best_.us() * (1 - kRelative)) break;
      std::vector<double> with = sums;
      for (std::size_t k = 0; k < with.size(); ++k) with[k] += conditions_.of_choice[g][i][k];
      if (!fits(depth + 1, with)) continue;
      choices_[g] = i;
      if (!extend(depth + 1, next, with)) return false;
    }
    return true;
  }

  const FormatTask& task_;
  const Conditions& conditions_;
  const Multipliers& multipliers_;
  Best& best_;
  Places order_;                                       // group at each depth of the search
  std::vector<Places> sorted_ = {};                    // by depth: choices of the group, sorted by cost
  std::vector<std::vector<double>> least_after_ = {};  // by depth: least sums over later groups (conditions, cost)
  Places choices_ = {};
  std::size_t nodes_ = 0;
};

}  // namespace

Choice total_of(const std::vector<std::vector<Choice>>& groups, const std::vector<std::size_t>& choices) {
  Choice total;
  for (std::size_t g = 0; g < groups.size(); ++g) add(total, groups[g][choices[g]]);
  return total;
}

double share_of(const Choice& total, const Tolerances& tolerances) {
  return std::max(share_of(total.loss, tolerances.loss), share_of(total.gradient, tolerances.gradient));
}

std::optional<FormatSolution> solve_formats(const FormatTask& task) {
  Best best(task);
  const Places gentle = lowest_error(task);
  best.offer(gentle);
  if (best.has_any()) best.offer(greedy(task, gentle));
  const Conditions conditions = conditions_of(task);
  const Multipliers multipliers = best_prices(task, conditions, best);
  const bool is_exact = Search(task, conditions, multipliers, best).run();
  if (!best.has_any()) return std::nullopt;
  Places choices = best.choices();
  settle_ties(task, choices);
  FormatSolution result{.choices = std::move(choices)};
  result.total = total_of(task.groups, result.choices);
  result.least_us = is_exact ? result.total.us : std::min(result.total.us, multipliers.least_us);
  return result;
}

}  // namespace ampprof::advice
