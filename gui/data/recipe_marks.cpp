// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/recipe_marks.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "amp_core/policy/module_pattern.h"
#include "amp_core/policy/policy.h"
#include "analysis/ops/group.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

using Row = queries::RecipeMatmulRow;

QString fromTo(const std::string& before, const std::string& after) {
  const QString first = QString::fromStdString(before);
  return before == after ? first : first + " → " + QString::fromStdString(after);
}

/// Returns the impact, with harm as positive values. For dgrad and wgrad, harm is a smaller loss decrease, so signs are
/// inverted.
advice::ErrorCost errorCostOf(const Row& row) {
  std::vector<StepImpact> steps = row.by_step;
  if (!row.is_on_loss()) {
    for (StepImpact& step : steps) step.change = -step.change;
  }
  return advice::error_cost_of(steps, !row.is_signed);
}

void add(RecipeErrorCost& error_cost, const Row& row, const advice::ErrorCost& of_row) {
  ++error_cost.matmuls;
  if (row.by_step.empty()) ++error_cost.unknown;
  (row.is_on_loss() ? error_cost.loss : error_cost.gradient).add(of_row);
}

QString tipOf(const char* what, const advice::ErrorCost& error_cost) {
  return QString("%1: mean %2, E %3, at most %4")
      .arg(what, QString::fromStdString(text::signed_scientific(error_cost.mean)),
           QString::fromStdString(text::scientific(error_cost.size())),
           QString::fromStdString(text::scientific(error_cost.bound())));
}

std::string shareOf(const advice::ErrorCost& error_cost, double decrease) {
  return text::percent(error_cost.size() / decrease);
}

bool isInside(const std::string& module, const std::string& outer) {
  return module != outer && amp::matches_module(outer, module);
}

/// Writes rules that keep exactly the given candidates in BF16.
class Rules {
 public:
  Rules(const std::vector<KeptMatmul>& candidates, const KeptPlaces& kept, std::string recipe)
      : candidates_(candidates), recipe_(std::move(recipe)) {
    for (const std::size_t place : kept) kept_.insert(candidates_[place]);
  }

  /// Returns the rules, from outer to inner modules, since the last matching rule applies.
  std::vector<amp::FormatRule> written() {
    std::set<std::string> known;
    for (const KeptMatmul& kept : kept_) {
      add(patternOf(kept), kept, "bf16", known);
      for (const KeptMatmul& other : candidates_) {
        if (other.matmul == kept.matmul && !kept_.contains(other) && isInside(other.module, kept.module))
          add(other.module, other, recipe_, known);
      }
    }
    join();
    std::ranges::stable_sort(rules_, {}, [](const amp::FormatRule& rule) {
      return std::pair(std::ranges::count(rule.module, '.'), -std::ranges::count(rule.module, '*'));
    });
    return rules_;
  }

 private:
  /// Returns a pattern that matches all layers similar to the one of `kept`, if all of them are kept and the pattern
  /// matches no other layer. Else returns the module of `kept`.
  std::string patternOf(const KeptMatmul& kept) const {
    const std::string pattern = analysis::class_of(kept.module);
    const bool is_of_all = std::ranges::all_of(candidates_, [&](const KeptMatmul& other) {
      if (other.matmul != kept.matmul || !amp::matches_module(pattern, other.module)) return true;
      return analysis::class_of(other.module) == pattern && kept_.contains(other);
    });
    return is_of_all ? pattern : kept.module;
  }

  /// Tells whether a rule for `pattern` that names no op would also match matmuls of an op other than `op`.
  bool callsAnotherOp(const std::string& pattern, const std::string& op) const {
    return std::ranges::any_of(candidates_, [&](const KeptMatmul& other) {
      return other.op != op && amp::matches_module(pattern, other.module);
    });
  }

  void add(const std::string& pattern, const KeptMatmul& of, const std::string& format, std::set<std::string>& known) {
    amp::FormatRule rule{.matmul = std::string(name_of(of.matmul)), .format = format, .module = pattern};
    if (callsAnotherOp(pattern, of.op) || amp::has_matmuls(pattern))
      rule.function = "aten::" + amp::op_name_from(of.op).base;
    if (known.insert(amp::to_text(rule)).second) rules_.push_back(std::move(rule));
  }

  /// Replaces the three rules for fprop, dgrad and wgrad of a layer with one rule without a matmul.
  void join() {
    std::map<std::pair<std::string, std::string>, std::size_t> kept;
    for (const amp::FormatRule& rule : rules_) kept[{rule.function, rule.module}] += rule.format == "bf16" ? 1 : 0;
    std::set<std::pair<std::string, std::string>> joined;
    std::vector<amp::FormatRule> rules;
    for (amp::FormatRule& rule : rules_) {
      const std::pair place(rule.function, rule.module);
      if (rule.format == "bf16" && kept[place] == kMatmuls.size()) {
        if (!joined.insert(place).second) continue;
        rule.matmul.clear();
      }
      rules.push_back(std::move(rule));
    }
    rules_ = std::move(rules);
  }

  const std::vector<KeptMatmul>& candidates_;
  std::string recipe_;
  std::set<KeptMatmul> kept_;
  std::vector<amp::FormatRule> rules_;
};

}  // namespace

RecipePrediction predictionOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept) {
  const std::set<std::size_t> places(kept.begin(), kept.end());
  RecipePrediction prediction;
  for (const Row* row : board.rowsOf(recipe)) {
    if (!row->is_quantized) continue;
    const advice::ErrorCost error_cost = errorCostOf(*row);
    const auto candidate = board.candidateOf(*row);
    const bool is_kept = candidate && places.contains(*candidate);
    add(prediction.before, *row, error_cost);
    if (is_kept) ++prediction.kept;
    if (!is_kept) add(prediction.after, *row, error_cost);
    if (row->by_step.empty()) continue;
    (row->is_on_loss() ? prediction.has_loss : prediction.has_gradient) = true;
    if (row->is_on_loss()) continue;
    prediction.is_ranking_only = prediction.is_ranking_only || row->is_ranking_only;
    if (!prediction.decrease) prediction.decrease = row->decrease;
  }
  return prediction;
}

QString lossText(const RecipePrediction& prediction) {
  if (!prediction.has_loss) return "expected loss impact of fprop unknown: record with --what-if";
  return "expected loss impact of fprop " +
         fromTo(text::scientific(prediction.before.loss.size()), text::scientific(prediction.after.loss.size()));
}

QString gradientText(const RecipePrediction& prediction) {
  if (!prediction.has_gradient) return "dgrad, wgrad: not measured";
  if (prediction.is_ranking_only) return "dgrad, wgrad: only the order of impacts is known";
  const auto& [before, after] = std::pair(prediction.before.gradient, prediction.after.gradient);
  if (!prediction.decrease || !(*prediction.decrease > 0.0)) {
    return "expected change of the loss decrease per step due to dgrad, wgrad " +
           fromTo(text::scientific(before.size()), text::scientific(after.size()));
  }
  return "expected change due to dgrad, wgrad " +
         fromTo(shareOf(before, *prediction.decrease), shareOf(after, *prediction.decrease)) +
         " of the loss decrease per step";
}

QString errorCostTip(const RecipePrediction& prediction) {
  QStringList lines;
  if (prediction.has_loss) lines << tipOf("Loss impact of fprop", prediction.after.loss);
  if (prediction.has_gradient && !prediction.is_ranking_only)
    lines << tipOf("Change of the loss decrease per step due to dgrad and wgrad", prediction.after.gradient);
  if (prediction.after.unknown > 0) {
    lines << QString("The impact of %1 of the %2 rounded matmuls is unknown.")
                 .arg(prediction.after.unknown)
                 .arg(prediction.after.matmuls);
  }
  return lines.join('\n');
}

std::string policyOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept) {
  const amp::Policy policy{.low_type = amp::ReducedType::BFloat16,
                           .recipe = recipe.recipe,
                           .formats = Rules(board.candidates(), kept, recipe.recipe).written()};
  const RecipePrediction prediction = predictionOf(board, recipe, kept);
  const std::string predicted =
      "# Predicted: " + lossText(prediction).toStdString() + "; " + gradientText(prediction).toStdString() + ".\n";
  return "# " + recipe.recipe + " for all matmuls except those kept in BF16.\n" + predicted + amp::to_text(policy);
}

}  // namespace ampprof::gui
