// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/gates/expression.h"

namespace ampprof::gates {

struct Occasion;

/// Outcome of a comparison or a rule. Only Pass counts as passed.
enum class GateOutcome {
  Pass,
  Fail,
  Unknown,       ///< the report lacks a value
  DoesNotApply,  ///< nothing to judge: for example, ops in full precision have no local error
};

/// Returns "pass", "fail", "unknown" or "does_not_apply"; in JSON: never rename.
std::string_view name_of(GateOutcome outcome);

/// One comparison of a rule, on one occasion.
struct Comparison {
  std::string occasion;  ///< see Occasion::label; "" if the rule names all its runs itself
  std::string left_text;
  std::string right_text;
  std::optional<double> left = {};  ///< empty if unknown
  std::optional<double> right = {};
  Unit unit = {};  ///< unit of `left` and `right`
  Operation operation = Operation::Less;
  GateOutcome outcome = GateOutcome::Unknown;
  std::string reason = {};  ///< reason for a missing value; a phrase
};

struct GateResult {
  std::string rule;
  GateOutcome outcome = GateOutcome::Unknown;
  std::vector<Comparison> comparisons;

  bool passed() const { return outcome == GateOutcome::Pass; }
};

/// Judges a rule on every occasion. The rule passes if it applies to at least one occasion and holds on all occasions
/// that it applies to. A rule with an unknown value never passes, even if the other side of an `or` holds. A rule that
/// names all its runs is judged once.
///
/// A NaN is a value, not unknown, and no comparison with NaN holds, including `!=`.
GateResult judge(const GateRule& rule, const std::vector<Occasion>& occasions);

}  // namespace ampprof::gates
