// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/run.h"

/// Evidence that gates are judged by. Plain rows, so that gates need neither a file nor a command line.
namespace ampprof::gates {

/// A call site, and what only Tensor Core rules can say of it.
struct SiteEvidence {
  queries::OpRow op;
  std::optional<bool> suits_tensor_cores = {};  ///< empty for ops that the rules do not judge
};

/// All that is known of one run.
struct RunEvidence {
  queries::RunRow run;
  std::vector<SiteEvidence> sites = {};
  std::vector<Missing> missing = {};
  std::optional<double> predicted_loss_change = {};  ///< see predicted_loss_change()
};

/// Sum of all impacts of one run: op calls, parameters and inputs; losses added up. Empty where none was measured.
std::optional<double> predicted_loss_change(const std::vector<queries::ImpactRow>& impacts);

using Runs = std::vector<const RunEvidence*>;

/// One report as a rule sees it.
struct Side {
  Runs meant = {};  ///< the runs that a metric speaks of where the rule names none
  Runs all = {};    ///< those that it can name
};

/// One occasion on which a rule has to hold: a level of a report, or a level of one report against one of another.
struct Occasion {
  std::string label;  ///< "O1", "O0 against O1"
  Side a = {};        ///< of two reports the first; empty where there is one
  Side b;             ///< what a rule speaks of that names no side
};

}  // namespace ampprof::gates
