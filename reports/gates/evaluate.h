// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/gates/expression.h"

namespace ampprof::gates {

struct Occasion;

/// How a comparison or a rule came out. Only Pass is a pass.
enum class GateOutcome {
  Pass,
  Fail,
  Unknown,       ///< the report does not hold a value
  DoesNotApply,  ///< there is nothing to judge: ops in full precision have no local error
};

/// "pass", "fail", "unknown", "does_not_apply"; in JSON: never rename.
std::string_view name_of(GateOutcome outcome);

/// One comparison of a rule, on one occasion.
struct Comparison {
  std::string occasion;  ///< see Occasion::label; "" where the rule names all its runs itself
  std::string left_text;
  std::string right_text;
  std::optional<double> left = {};  ///< empty where it is unknown
  std::optional<double> right = {};
  Unit unit = {};  ///< of both
  Operation operation = Operation::Less;
  GateOutcome outcome = GateOutcome::Unknown;
  std::string reason = {};  ///< why there is no value; a phrase
};

struct GateResult {
  std::string rule;
  GateOutcome outcome = GateOutcome::Unknown;
  std::vector<Comparison> comparisons;

  bool passed() const { return outcome == GateOutcome::Pass; }
};

/// Judges a rule on every occasion: it passes where it holds on each that it applies to, and applies to one at least.
/// An unknown value never passes, also not beside an `or` that holds. A rule that names all its runs is judged once.
///
/// A NaN is known, and no comparison with it holds, `!=` included.
GateResult judge(const GateRule& rule, const std::vector<Occasion>& occasions);

}  // namespace ampprof::gates
