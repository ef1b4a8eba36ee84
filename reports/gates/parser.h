// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "reports/gates/expression.h"
#include "reports/gates/rule_error.h"

namespace ampprof::gates {

/// How many reports a rule may name. With Two, the arguments A and B choose one.
enum class Reports { One, Two };

/// Parses a rule in the language of docs/reference/gates.md. Checks that both sides of each comparison have the same
/// dimension. Throws RuleError with the position of an error.
GateRule parse_rule(std::string_view text, Reports reports = Reports::One);

}  // namespace ampprof::gates
