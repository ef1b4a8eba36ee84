// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "reports/gates/expression.h"
#include "reports/gates/rule_error.h"

namespace ampprof::gates {

/// How many reports a rule may speak of: with Two the arguments A and B choose one.
enum class Reports { One, Two };

/// Reads a rule of the language that README.md defines. Whatever the text, it ends in a rule whose comparisons are of
/// one dimension, or in a RuleError that says where.
GateRule parse_rule(std::string_view text, Reports reports = Reports::One);

}  // namespace ampprof::gates
