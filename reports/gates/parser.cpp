// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/parser.h"

#include <utility>

#include "reports/gates/scanner.h"
#include "reports/gates/selector.h"

namespace ampprof::gates {
namespace {

constexpr std::size_t kLongestRule = 2000;  // bytes; parsing the longest sum still fits the stack
constexpr int kDeepest = 100;               // nested parentheses and signs

// Precedence of operators, the loosest first.
enum Strength { kOfOr, kOfAnd, kOfComparison, kOfSum, kOfProduct };

Strength strength_of(Operation operation) {
  switch (operation) {
    case Operation::Or:
      return kOfOr;
    case Operation::And:
      return kOfAnd;
    case Operation::Add:
    case Operation::Subtract:
      return kOfSum;
    case Operation::Multiply:
    case Operation::Divide:
      return kOfProduct;
    default:
      return kOfComparison;
  }
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// Checks that both sides of a sum or a comparison have one dimension. A constant without a unit takes the unit of the
// other side. The result has the unit of the left side, if any.
Unit common_unit(const Token& sign, std::string_view symbol, const Expression& left, const Expression& right) {
  const bool left_adapts = left.is_constant && left.unit.is_plain();
  const bool right_adapts = right.is_constant && right.unit.is_plain();
  if (left.unit.dimension == right.unit.dimension || right_adapts) return left.unit;
  if (left_adapts) return right.unit;
  throw RuleError(sign.begin, in_quotes(symbol) + " has " + std::string(name_of(left.unit.dimension)) +
                                  " on its left and " + std::string(name_of(right.unit.dimension)) + " on its right.");
}

Unit unit_of_product(const Token& sign, const Expression& left, const Expression& right) {
  if (!left.unit.is_plain() && !right.unit.is_plain()) {
    throw RuleError(sign.begin, "Two times or sizes cannot be multiplied.");
  }
  return left.unit.is_plain() ? right.unit : left.unit;
}

Unit unit_of_quotient(const Token& sign, const Expression& left, const Expression& right) {
  if (right.unit.is_plain()) return left.unit;
  if (left.unit.dimension == right.unit.dimension) return kPlain;
  throw RuleError(sign.begin, std::string(name_of(left.unit.dimension)) + " cannot be divided by " +
                                  std::string(name_of(right.unit.dimension)) + ".");
}

Unit unit_of(const Token& sign, std::string_view symbol, const Expression& left, const Expression& right) {
  switch (sign.operation) {
    case Operation::Multiply:
      return unit_of_product(sign, left, right);
    case Operation::Divide:
      return unit_of_quotient(sign, left, right);
    case Operation::And:
    case Operation::Or:
      return kPlain;
    default:
      return common_unit(sign, symbol, left, right);
  }
}

// Precedence climbing: the right side of an operator takes all operators that bind tighter.
class Parser {
 public:
  Parser(std::string_view text, Reports reports) : text_(text), scanner_(text), reports_(reports) {}

  Expression rule() {
    Expression whole = expression(kOfOr);
    if (token().kind != TokenKind::End) {
      const std::string found = in_quotes(scanner_.text_of(token()));
      throw RuleError(token().begin, token().kind == TokenKind::Close ? "This parenthesis was never opened."
                                                                      : "An operator is missing before " + found + ".");
    }
    if (!is_condition(whole.operation)) {
      throw RuleError(whole.end, "A rule is a comparison: add <, <=, >, >=, == or != and a limit.");
    }
    return whole;
  }

 private:
  const Token& token() const { return scanner_.token(); }

  Expression expression(int least_strength) {
    Expression left = operand();
    while (token().kind == TokenKind::Operator && strength_of(token().operation) >= least_strength) {
      const Token sign = token();
      const int strength = strength_of(sign.operation);
      scanner_.advance();
      Expression right = expression(strength + 1);
      left = joined(sign, std::move(left), std::move(right));
    }
    return left;
  }

  Expression joined(const Token& sign, Expression left, Expression right) const {
    const bool wants_conditions = sign.operation == Operation::And || sign.operation == Operation::Or;
    const std::string symbol(text_.substr(sign.begin, sign.end - sign.begin));
    for (const Expression* side : {&left, &right}) {
      if (is_condition(side->operation) == wants_conditions) continue;
      if (wants_conditions)
        throw RuleError(side->begin, in_quotes(symbol) + " joins comparisons, and this is not a comparison.");
      throw RuleError(sign.begin, is_comparison(sign.operation)
                                      ? "A comparison cannot be compared: join two with `and`, as in 1 < x and x < 2."
                                      : in_quotes(symbol) + " needs numbers, not a comparison.");
    }
    Expression whole{.operation = sign.operation, .begin = left.begin, .end = right.end};
    whole.unit = unit_of(sign, symbol, left, right);
    whole.is_constant = left.is_constant && right.is_constant;
    if (is_comparison(sign.operation) && whole.is_constant) {
      throw RuleError(whole.begin, "The rule compares two numbers. Use a metric of the report on one side.");
    }
    whole.operands.push_back(std::move(left));
    whole.operands.push_back(std::move(right));
    return whole;
  }

  Expression operand() {
    if (++depth_ > kDeepest) throw RuleError(token().begin, "The rule is nested too deeply.");
    Expression result = one_operand();
    --depth_;
    return result;
  }

  Expression one_operand() {
    switch (token().kind) {
      case TokenKind::Number:
        return number();
      case TokenKind::Name:
        return metric();
      case TokenKind::Open:
        return in_parentheses();
      case TokenKind::Operator:
        if (token().operation == Operation::Subtract) return negated();
        break;
      default:
        break;
    }
    const std::string_view found = scanner_.text_of(token());
    throw RuleError(token().begin, "A metric or a number is missing here" +
                                       (found.empty() ? "." : ", before " + in_quotes(found) + "."));
  }

  Expression number() {
    Expression number{.begin = token().begin, .end = token().end, .number = token().number, .unit = token().unit};
    if (number.unit.is_plain()) {
      number.number *= number.unit.factor;
      number.unit = kPlain;
    }
    scanner_.advance();
    return number;
  }

  Expression negated() {
    const std::size_t begin = token().begin;
    scanner_.advance();
    Expression inner = operand();
    if (is_condition(inner.operation)) throw RuleError(begin, "'-' needs a number, not a comparison.");
    Expression result{.operation = Operation::Negate, .begin = begin, .end = inner.end, .unit = inner.unit};
    result.is_constant = inner.is_constant;
    result.operands.push_back(std::move(inner));
    return result;
  }

  Expression in_parentheses() {
    const std::size_t begin = token().begin;
    scanner_.advance();
    Expression inner = expression(kOfOr);
    if (token().kind != TokenKind::Close) throw RuleError(token().begin, "A closing parenthesis is missing here.");
    inner.begin = begin;
    inner.end = token().end;
    scanner_.advance();
    return inner;
  }

  Expression metric() {
    const Token name = token();
    const std::string text(scanner_.text_of(name));
    const Metric* metric = metric_named(text);
    if (metric == nullptr) throw RuleError(name.begin, "Unknown metric " + in_quotes(text) + ".", text, metric_names());
    Expression result{.operation = Operation::Metric, .begin = name.begin, .end = name.end, .metric = metric};
    result.unit = metric->unit;
    result.is_constant = false;
    scanner_.advance();
    if (token().kind == TokenKind::Open) {
      result.selector = selector_of(*metric);
      result.end = token().end;
      scanner_.advance();
    }
    return result;
  }

  Selector selector_of(const Metric& metric) {
    Selector selector;
    do {
      const auto [text, begin] = scanner_.argument();
      add_argument(selector, metric, text, begin, reports_ == Reports::Two);
    } while (scanner_.at_comma());
    return selector;
  }

  std::string_view text_;
  Scanner scanner_;
  Reports reports_;
  int depth_ = 0;
};

}  // namespace

GateRule parse_rule(std::string_view text, Reports reports) {
  if (text.size() > kLongestRule) throw RuleError(kLongestRule, "The rule is too long.");
  GateRule rule{.text = std::string(text), .condition = {}};
  rule.condition = Parser(rule.text, reports).rule();
  return rule;
}

}  // namespace ampprof::gates
