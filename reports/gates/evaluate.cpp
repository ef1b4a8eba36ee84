// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/evaluate.h"

#include <algorithm>
#include <cmath>

#include "reports/gates/value.h"

namespace ampprof::gates {
namespace {

// In the unit of the whole; a constant without a unit takes it as it is.
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
    second.number = converted(*second.number, right.unit, left.unit);  // of a product one is plain
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
    return comparison;
  }
  // What is unknown outweighs what does not apply.
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

// Whether the occasion makes a difference.
bool depends_on_occasion(const Expression& expression) {
  if (expression.operation == Operation::Metric) return !expression.selector.run;
  return std::any_of(expression.operands.begin(), expression.operands.end(), depends_on_occasion);
}

}  // namespace

std::string_view name_of(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::Pass:
      return "pass";
    case GateOutcome::Fail:
      return "fail";
    case GateOutcome::DoesNotApply:
      return "does_not_apply";
    case GateOutcome::Unknown:
      break;
  }
  return "unknown";
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
  // Nothing was judged: that is no pass.
  if (result.outcome == GateOutcome::DoesNotApply) result.outcome = GateOutcome::Unknown;
  return result;
}

}  // namespace ampprof::gates
