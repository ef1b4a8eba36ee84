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
/// Whether it is true or false, and not a number.
constexpr bool is_condition(Operation operation) { return operation >= Operation::Less; }

/// The reports of `ampprof diff`.
enum class SideName { A, B };

/// Holds what stands in parentheses behind a metric.
struct Selector {
  std::optional<SideName> side = {};
  std::optional<std::string> run = {};  ///< level or id
  std::optional<Phase> phase = {};
  std::optional<std::string> pattern = {};

  bool operator==(const Selector&) const = default;
};

struct Expression {
  Operation operation = Operation::Number;
  std::size_t begin = 0;  ///< where it stands in the text of its rule
  std::size_t end = 0;
  double number = 0.0;             ///< of a Number
  const Metric* metric = nullptr;  ///< of a Metric; lives as long as the program
  Selector selector = {};          ///< of a Metric
  Unit unit = {};                  ///< of its value
  bool is_constant = true;         ///< holds no metric
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
