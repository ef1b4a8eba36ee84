// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/evaluate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "reports/gates/evidence.h"
#include "reports/gates/expression.h"
#include "reports/gates/occasion.h"
#include "reports/gates/selector.h"
#include "reports/queries/ops.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/records/enum_names.h"

namespace ampprof::gates {
namespace {

/// A number, or the reason for a missing one.
struct Value {
  std::optional<double> number = {};
  bool applies = true;      ///< false: the metric does not apply
  std::string reason = {};  ///< a phrase; set only if there is no number
};

Value without(std::string reason) { return {.reason = std::move(reason)}; }

std::string label_of(const queries::RunRow& run) {
  return run.level.empty() ? "run " + std::to_string(run.run) : run.level;
}

Runs runs_of(const Selector& selector, const Occasion& occasion) {
  const Side& side = selector.side == SideName::A ? occasion.a : occasion.b;
  if (!selector.run) return side.meant;
  Runs runs;
  std::copy_if(side.all.begin(), side.all.end(), std::back_inserter(runs), [&](const RunEvidence* evidence) {
    return queries::names_run(*selector.run, evidence->run.run, evidence->run.level);
  });
  return runs;
}

bool is_meant(const Selector& selector, const queries::OpRow& op) {
  return (!selector.phase || op.phase == *selector.phase) && (!selector.pattern || names_site(*selector.pattern, op));
}

bool is_full_precision(const queries::OpRow& op) {
  return !is_reduced_precision(op.dtype_in) && !is_reduced_precision(op.dtype_out);
}

std::string sites_of(const Selector& selector) {
  std::string text = "no call site";
  if (selector.phase) text.append(" of phase ").append(name_of(*selector.phase));
  if (selector.pattern) text += " that matches '" + *selector.pattern + "'";
  return text;
}

Value of_sites(const SiteValue& value, const Metric& metric, const Selector& selector, const RunEvidence& evidence) {
  std::vector<double> known;
  bool any = false;
  bool all_in_full_precision = true;
  for (const SiteEvidence& site : evidence.sites) {
    if (!is_meant(selector, site.op)) continue;
    any = true;
    all_in_full_precision = all_in_full_precision && is_full_precision(site.op);
    if (const auto number = value.of(site)) known.push_back(*number);
  }
  const std::string label = label_of(evidence.run);
  if (!any) return without(label + " has " + sites_of(selector));
  if (!known.empty()) return {.number = reduced(value.over_sites, std::move(known))};
  if (all_in_full_precision) {
    return {.applies = false, .reason = label + " computes these call sites in FP32"};
  }
  return without(label + " has no " + std::string(metric.name) + " for these call sites");
}

Value of_run(const Metric& metric, const Selector& selector, const RunEvidence& evidence) {
  if (const auto* sites = std::get_if<SiteValue>(&metric.value)) return of_sites(*sites, metric, selector, evidence);
  const auto* named = std::get_if<NamedValue>(&metric.value);
  const auto number = named != nullptr ? (*named)(evidence, selector.pattern.value_or("*"))
                                       : std::get<RunValue>(metric.value)(evidence);
  if (number) return {.number = number};
  return without(label_of(evidence.run) + " has no " + std::string(metric.name));
}

/// Returns the value of a metric on an occasion, in the metric's unit. If one repeat of a level lacks a value, the
/// result is unknown.
Value value_of(const Metric& metric, const Selector& selector, const Occasion& occasion) {
  const Runs runs = runs_of(selector, occasion);
  if (runs.empty()) return without("the report has no run" + (selector.run ? " '" + *selector.run + "'" : ""));
  std::vector<double> numbers;
  for (const RunEvidence* evidence : runs) {
    Value value = of_run(metric, selector, *evidence);
    if (!value.number) return value;
    numbers.push_back(*value.number);
  }
  return {.number = reduced(metric.over_runs, std::move(numbers))};
}

// Converts an operand to the unit of the expression. A constant without a unit is unchanged.
double converted(double number, const Unit& from, const Unit& to) {
  if (from.is_plain() || to.is_plain()) return number;
  return number * from.factor / to.factor;
}

double calculated(Operation operation, double left, double right) {
  switch (operation) {
    case Operation::Add:
      return left + right;
    case Operation::Subtract:
      return left - right;
    case Operation::Multiply:
      return left * right;
    default:
      return left / right;
  }
}

Value value_of(const Expression& expression, const Occasion& occasion);

Value value_of_pair(const Expression& expression, const Occasion& occasion) {
  const Expression& left = expression.operands.at(0);
  const Expression& right = expression.operands.at(1);
  Value first = value_of(left, occasion);
  Value second = value_of(right, occasion);
  if (!first.number) return first;
  if (!second.number) return second;
  const bool is_sum = expression.operation == Operation::Add || expression.operation == Operation::Subtract;
  if (is_sum) {
    first.number = converted(*first.number, left.unit, expression.unit);
    second.number = converted(*second.number, right.unit, expression.unit);
  } else {
    second.number = converted(*second.number, right.unit, left.unit);  // in a product, one factor has no unit
  }
  return {.number = calculated(expression.operation, *first.number, *second.number)};
}

Value value_of(const Expression& expression, const Occasion& occasion) {
  switch (expression.operation) {
    case Operation::Number:
      return {.number = expression.number};
    case Operation::Metric:
      return value_of(*expression.metric, expression.selector, occasion);
    case Operation::Negate: {
      Value value = value_of(expression.operands.at(0), occasion);
      if (value.number) value.number = -*value.number;
      return value;
    }
    default:
      return value_of_pair(expression, occasion);
  }
}

bool holds(Operation operation, double left, double right) {
  if (std::isnan(left) || std::isnan(right)) return false;
  switch (operation) {
    case Operation::Less:
      return left < right;
    case Operation::LessOrEqual:
      return left <= right;
    case Operation::Greater:
      return left > right;
    case Operation::GreaterOrEqual:
      return left >= right;
    case Operation::Equal:
      return left == right;
    default:
      return left != right;
  }
}

bool is_measured(const Expression& expression) {
  return expression.operation == Operation::Metric ||
         std::any_of(expression.operands.begin(), expression.operands.end(), is_measured);
}

/// Returns whether a comparison is meaningless because both sides are measured and one is infinite: inf <= 1.5 * inf
/// and 2 <= inf hold, but neither should pass. A comparison of inf with a constant of the rule is meaningful.
bool says_nothing(const Expression& expression, double left, double right) {
  return (std::isinf(left) || std::isinf(right)) && is_measured(expression.operands.at(0)) &&
         is_measured(expression.operands.at(1));
}

Comparison compared(const GateRule& rule, const Expression& expression, const Occasion& occasion) {
  const Expression& left = expression.operands.at(0);
  const Expression& right = expression.operands.at(1);
  const Value first = value_of(left, occasion);
  const Value second = value_of(right, occasion);
  Comparison comparison{.occasion = occasion.label,
                        .left_text = std::string(rule.text_of(left)),
                        .right_text = std::string(rule.text_of(right)),
                        .unit = expression.unit,
                        .operation = expression.operation,
                        .reason = {}};
  if (first.number) comparison.left = converted(*first.number, left.unit, expression.unit);
  if (second.number) comparison.right = converted(*second.number, right.unit, expression.unit);
  if (first.number && second.number) {
    const bool is_met = holds(expression.operation, *comparison.left, *comparison.right);
    comparison.outcome = is_met ? GateOutcome::Pass : GateOutcome::Fail;
    if (is_met && says_nothing(expression, *comparison.left, *comparison.right)) {
      comparison.outcome = GateOutcome::Unknown;
      comparison.reason = "a measured value is infinite, so the comparison says nothing";
    }
    return comparison;
  }
  // Unknown takes precedence over DoesNotApply.
  const bool is_unknown = (!first.number && first.applies) || (!second.number && second.applies);
  comparison.outcome = is_unknown ? GateOutcome::Unknown : GateOutcome::DoesNotApply;
  const bool first_tells = !first.number && (first.applies || !is_unknown);
  comparison.reason = first_tells ? first.reason : second.reason;
  return comparison;
}

GateOutcome joined(Operation operation, GateOutcome left, GateOutcome right) {
  const auto either = [&](GateOutcome outcome) { return left == outcome || right == outcome; };
  if (left == GateOutcome::DoesNotApply) return right;
  if (right == GateOutcome::DoesNotApply) return left;
  if (operation == Operation::And && either(GateOutcome::Fail)) return GateOutcome::Fail;
  if (either(GateOutcome::Unknown)) return GateOutcome::Unknown;
  if (operation == Operation::Or) return either(GateOutcome::Pass) ? GateOutcome::Pass : GateOutcome::Fail;
  return GateOutcome::Pass;
}

GateOutcome judged(const GateRule& rule, const Expression& condition, const Occasion& occasion,
                   std::vector<Comparison>& comparisons) {
  if (is_comparison(condition.operation)) {
    return comparisons.emplace_back(compared(rule, condition, occasion)).outcome;
  }
  const GateOutcome left = judged(rule, condition.operands.at(0), occasion, comparisons);
  const GateOutcome right = judged(rule, condition.operands.at(1), occasion, comparisons);
  return joined(condition.operation, left, right);
}

// Returns whether the result depends on the occasion. False if every metric names its run.
bool depends_on_occasion(const Expression& expression) {
  if (expression.operation == Operation::Metric) return !expression.selector.run;
  return std::any_of(expression.operands.begin(), expression.operands.end(), depends_on_occasion);
}

}  // namespace

std::string_view name_of(GateOutcome outcome) {
  constexpr std::array<std::string_view, 4> kTexts{"pass", "fail", "unknown", "does_not_apply"};
  return text_among(kTexts, outcome);
}

GateResult judge(const GateRule& rule, const std::vector<Occasion>& occasions) {
  GateResult result{.rule = rule.text, .outcome = GateOutcome::DoesNotApply, .comparisons = {}};
  const bool once = !depends_on_occasion(rule.condition);
  for (Occasion occasion : occasions) {
    if (once) occasion.label = "";
    const GateOutcome outcome = judged(rule, rule.condition, occasion, result.comparisons);
    result.outcome = joined(Operation::And, result.outcome, outcome);
    if (once) break;
  }
  // A rule that judged nothing does not pass.
  if (result.outcome == GateOutcome::DoesNotApply) result.outcome = GateOutcome::Unknown;
  return result;
}

}  // namespace ampprof::gates
