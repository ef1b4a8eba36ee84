// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/recipe_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "precision/advice/recipes/group_choices.h"
#include "reports/text/numbers.h"

namespace ampprof::advice {
namespace {

/// Explains why a matmul has its format and not a faster one. Keeps references to the constructor's arguments.
class Reasons {
 public:
  Reasons(const std::vector<GroupChoices>& groups, const FormatSolution& found, const RecipeAdvice& advice,
          bool are_copies_free)
      : groups_(groups), found_(found), advice_(advice), are_copies_free_(are_copies_free) {}

  /// Returns the reasons: sentences with numbers.
  std::string because(std::size_t group, std::size_t matmul, const MatmulAdvice& of) const;

 private:
  /// A choice with another format for one matmul, or for all matmuls if that format cannot be mixed with others.
  struct Other {
    std::size_t format = 0;
    std::size_t place = 0;  ///< index of the choice in its group
    double saved_us = 0.0;
  };

  std::vector<Other> faster_ones(std::size_t group, std::size_t matmul) const;
  std::string why_no_faster(std::size_t group, std::size_t matmul) const;
  std::string why_not(std::size_t group, std::size_t matmul, const Other& other) const;

  const std::vector<GroupChoices>& groups_;
  const FormatSolution& found_;
  const RecipeAdvice& advice_;
  bool are_copies_free_;
};

constexpr const char* figure_of(bool is_loss) { return is_loss ? "the loss" : "the loss decrease per step"; }

/// A positive error cost of a gradient means that a step decreases the loss less.
std::string change_of(std::size_t matmul, const ErrorCost& error_cost) {
  const double change = matmul == kFprop ? error_cost.mean : 0.0 - error_cost.mean;
  return fmt::format("changes {} by {:+.1e} ± {} (varies by {} from step to step)", figure_of(matmul == kFprop), change,
                     text::scientific(std::sqrt(error_cost.variance)), text::scientific(std::sqrt(error_cost.squares)));
}

std::string Reasons::because(std::size_t group, std::size_t matmul, const MatmulAdvice& of) const {
  std::string text;
  if (of.error_cost) {
    text = fmt::format("{} instead of {}; {}.", text::microseconds(of.us), text::microseconds(of.plain_us),
                       change_of(matmul, *of.error_cost));
  }
  const std::string rest = why_no_faster(group, matmul);
  return text + (text.empty() || rest.empty() ? "" : " ") + rest;
}

std::vector<Reasons::Other> Reasons::faster_ones(std::size_t group, std::size_t matmul) const {
  const GroupChoices& choices = groups_[group];
  const std::size_t now = found_.choices[group];
  std::vector<Other> others;
  for (std::size_t f = 0; f < advice_.formats.size(); ++f) {
    Formats formats = choices.formats[now];
    for (std::size_t m = 0; m < formats.size(); ++m) {
      const bool is_meant = m == matmul || is_delayed(advice_.formats[f]);
      if (is_meant && choices.has[m]) formats[m] = f;
    }
    const std::size_t place = choices.place_of(formats);
    if (place == choices.choices.size()) continue;
    const double saved = choices.choices[now].us - choices.choices[place].us;
    if (saved > 0.0) others.push_back({f, place, saved});
  }
  std::ranges::sort(others, std::ranges::greater(), &Other::saved_us);
  return others;
}

std::string Reasons::why_not(std::size_t group, std::size_t matmul, const Other& other) const {
  std::vector<std::size_t> choices = found_.choices;
  choices[group] = other.place;
  Choice total;
  for (std::size_t g = 0; g < choices.size(); ++g) {
    const Choice& part = groups_[g].choices[choices[g]];
    total.loss.add(part.loss);
    total.gradient.add(part.gradient);
  }
  const std::string saves =
      fmt::format("{} would save {}", advice_.formats[other.format].name, text::microseconds(other.saved_us));
  for (const bool is_loss : {matmul == kFprop, matmul != kFprop}) {
    const double bound = (is_loss ? total.loss : total.gradient).bound();
    const double tolerance = is_loss ? advice_.tolerances.loss : advice_.tolerances.gradient;
    if (bound <= tolerance) continue;
    return fmt::format("{}, but all formats together could then change {} by {}, above the tolerance of {}.", saves,
                       figure_of(is_loss), text::scientific(bound), text::scientific(tolerance));
  }
  return saves + ", but the search ended before it tried this choice.";
}

std::string Reasons::why_no_faster(std::size_t group, std::size_t matmul) const {
  const std::vector<Other> others = faster_ones(group, matmul);
  if (!others.empty()) return why_not(group, matmul, others.front());
  const std::size_t now = groups_[group].formats[found_.choices[group]][matmul];
  if (now != 0) return {};
  const std::vector<std::string>& obstacles = groups_[group].obstacles[matmul];  // the first is that of the plain type
  const auto is_possible = [](const std::string& obstacle) { return obstacle.empty(); };
  const bool is_one_possible = obstacles.size() > 1 && std::any_of(obstacles.begin() + 1, obstacles.end(), is_possible);
  const auto obstacle = std::ranges::find_if_not(obstacles, is_possible);
  if (!is_one_possible && obstacle != obstacles.end()) return *obstacle;
  return are_copies_free_ ? "No format is faster at these sizes."
                          : "No format is faster if the time for its rounded copies is included.";
}

constexpr double kLossShare = 0.01;      // loss gap between NVFP4 and BF16 pretraining (arXiv 2509.25149, section 3)
constexpr double kNextShare = 0.75;      // largest error cost of a point, relative to the previous point
constexpr std::size_t kMostPoints = 24;  // limit for the points of the curve
constexpr std::size_t kNodesOfPoint = 100'000;

using recipes::Recipe;

Tolerances tolerances_of(const RecipeEvidence& evidence, const RecipeOptions& options) {
  const double loss = options.loss_tolerance.value_or(kLossShare * std::abs(evidence.loss));
  return {loss, options.gradient_share * std::max(0.0, evidence.decrease.value_or(0.0))};
}

FormatTask task_of(const std::vector<GroupChoices>& groups, const Tolerances& tolerances) {
  FormatTask task{.tolerances = tolerances};
  for (const GroupChoices& group : groups) task.groups.push_back(group.choices);
  return task;
}

/// Returns a curve that starts with the fastest choice. Each further point is the fastest choice with a clearly lower
/// error cost.
std::vector<CurvePoint> curve_of(const FormatTask& all) {
  constexpr double kAnything = std::numeric_limits<double>::infinity();
  std::vector<CurvePoint> curve;
  FormatTask task{all.groups, {kAnything, kAnything}, kNodesOfPoint};
  while (curve.size() < kMostPoints) {
    const auto found = solve_formats(task);
    if (!found) break;
    const double share = share_of(found->total, all.tolerances);
    curve.push_back({"", found->total, share});
    if (share == 0.0 || std::isinf(share)) break;
    const double next = kNextShare * share;
    task.tolerances = {all.tolerances.loss * next, all.tolerances.gradient * next};
  }
  return curve;
}

/// Returns one choice for each format. All matmuls that allow the format use it.
std::vector<CurvePoint> uniform_of(const std::vector<GroupChoices>& groups, const std::vector<Recipe>& formats,
                                   const Tolerances& tolerances) {
  std::vector<CurvePoint> points;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    std::vector<std::size_t> places;
    for (const GroupChoices& group : groups) {
      Formats wanted{};
      for (std::size_t m = 0; m < wanted.size(); ++m) {
        if (group.has[m] && group.obstacles[m][f].empty()) wanted[m] = f;
      }
      const std::size_t place = group.place_of(wanted);
      places.push_back(place < group.choices.size() ? place : group.place_of({}));
    }
    const Choice total = total_of(task_of(groups, tolerances).groups, places);
    points.push_back({"all " + formats[f].name, total, share_of(total, tolerances)});
  }
  return points;
}

GroupAdvice advice_of(const GroupChoices& group, std::size_t place, const RecipeEvidence& evidence,
                      const std::vector<Recipe>& formats) {
  const RecipeLayer& first = evidence.layers[group.group.layers.front()];
  GroupAdvice advice{.pattern = group.group.pattern,
                     .op = first.op,
                     .kind = first.kind,
                     .rows = first.rows,
                     .columns = first.columns,
                     .leading = first.leading,
                     .total = group.choices[place],
                     .plain_us = group.choices[group.place_of({})].us};
  std::set<std::string> known;
  const LayerTimes times(evidence.gpu, formats, evidence.are_copies_free);
  for (const std::size_t layer : group.group.layers) {
    if (known.insert(evidence.layers[layer].module).second) advice.modules.push_back(evidence.layers[layer].module);
  }
  for (std::size_t m = 0; m < advice.matmuls.size(); ++m) {
    if (!group.has[m]) continue;
    const std::size_t format = group.formats[place][m];
    MatmulAdvice& matmul = advice.matmuls[m].emplace(MatmulAdvice{.format = formats[format].name});
    for (const std::size_t layer : group.group.layers) {
      if (!evidence.layers[layer].has[m]) continue;
      matmul.us += times.matmul_us(evidence.layers[layer], m, format);
      matmul.plain_us += times.matmul_us(evidence.layers[layer], m, 0);
    }
    if (format != 0) matmul.error_cost = group.error_costs[m][format];
  }
  return advice;
}

void say_what_is_not_known(RecipeAdvice& advice, const RecipeEvidence& evidence, const RecipeOptions& options) {
  const auto any = [&](auto is) {
    return std::ranges::any_of(evidence.layers, [&](const RecipeLayer& layer) {
      return std::ranges::any_of(layer.impacts, [&](const auto& formats) {
        return std::ranges::any_of(formats, [&](const auto& impact) { return is(impact.second); });
      });
    });
  };
  if (evidence.loss == 0.0 && !options.loss_tolerance) {
    advice.notes.push_back("fprop stays BF16: the report has no loss to judge its errors by.");
  }
  if (!evidence.decrease) {
    advice.notes.push_back(
        "dgrad and wgrad stay BF16: the report does not say how far a step decreases the loss, so their errors cannot "
        "be judged.");
  } else if (!(*evidence.decrease > 0.0)) {
    advice.notes.push_back(
        "dgrad and wgrad stay BF16: the steps of the report do not decrease the loss, so there is no decrease to judge "
        "their errors by.");
  }
  if (any([](const MatmulImpact& impact) { return impact.is_ranking_only; })) {
    advice.notes.push_back(
        "It is unknown how this optimizer's update depends on gradients: the impacts of dgrad and wgrad are only a "
        "ranking, and their sum is a guess.");
  }
  if (any([](const MatmulImpact& impact) { return impact.steps.size() == 1; })) {
    advice.notes.push_back("Some impacts come from a single step: more steps would make them more certain.");
  }
  if (advice.least_us < advice.total.us) {
    advice.notes.push_back(fmt::format(
        "The search ended early. A faster choice may exist, but none within the tolerances takes less than {}.",
        text::microseconds(std::max(0.0, advice.least_us))));
  }
}

}  // namespace

bool GroupAdvice::is_rounded() const {
  return std::ranges::any_of(matmuls, [](const auto& matmul) { return matmul && matmul->error_cost; });
}

RecipeAdvice advise_recipes(const RecipeEvidence& evidence, const RecipeOptions& options) {
  RecipeAdvice advice{.gpu = std::string(evidence.gpu.name),
                      .tolerances = tolerances_of(evidence, options),
                      .formats = with_plain_first(evidence.formats)};
  std::vector<GroupChoices> groups;
  for (const LayerGroup& group : groups_of(evidence.layers, options.each_layer)) {
    groups.push_back(choices_of(group, evidence, advice.formats));
  }
  const FormatTask task = task_of(groups, advice.tolerances);
  const FormatSolution found = solve_formats(task).value();  // there is a solution: BF16 everywhere has no error cost
  advice.total = found.total;
  advice.least_us = found.least_us;
  advice.share = share_of(found.total, advice.tolerances);
  advice.curve = curve_of(task);
  advice.uniform = uniform_of(groups, advice.formats, advice.tolerances);
  const Reasons reasons(groups, found, advice, evidence.are_copies_free);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    GroupAdvice group = advice_of(groups[g], found.choices[g], evidence, advice.formats);
    for (std::size_t m = 0; m < group.matmuls.size(); ++m) {
      if (group.matmuls[m]) group.matmuls[m]->because = reasons.because(g, m, *group.matmuls[m]);
    }
    advice.plain_us += group.plain_us;
    advice.groups.push_back(std::move(group));
  }
  say_what_is_not_known(advice, evidence, options);
  return advice;
}

}  // namespace ampprof::advice
