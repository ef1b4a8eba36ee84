// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gates/metrics.h"
#include "reports/records/phase.h"

namespace ampprof::gates {

enum class Operation {
  Number,
  Metric,
  Negate,
  Add,
  Subtract,
  Multiply,
  Divide,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Equal,
  NotEqual,
  And,
  Or,
};

constexpr bool is_comparison(Operation operation) {
  return operation >= Operation::Less && operation <= Operation::NotEqual;
}
/// Returns whether the result is a truth value instead of a number.
constexpr bool is_condition(Operation operation) { return operation >= Operation::Less; }

/// The reports of `ampprof diff`.
enum class SideName { A, B };

/// The arguments in parentheses after a metric.
struct Selector {
  std::optional<SideName> side = {};
  std::optional<std::string> run = {};  ///< level or id
  std::optional<Phase> phase = {};
  std::optional<std::string> pattern = {};

  bool operator==(const Selector&) const = default;
};

struct Expression {
  Operation operation = Operation::Number;
  std::size_t begin = 0;  ///< offset in the text of its rule
  std::size_t end = 0;
  double number = 0.0;             ///< for a Number
  const Metric* metric = nullptr;  ///< for a Metric; static lifetime
  Selector selector = {};          ///< for a Metric
  Unit unit = {};                  ///< unit of its value
  bool is_constant = true;         ///< contains no metric
  std::vector<Expression> operands = {};
};

/// A condition that a report has to meet.
struct GateRule {
  std::string text;
  Expression condition;

  std::string_view text_of(const Expression& part) const {
    return std::string_view(text).substr(part.begin, part.end - part.begin);
  }
};

}  // namespace ampprof::gates
