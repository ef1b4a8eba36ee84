// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  std::vector<std::string> findings = {};            ///< kinds of what is wrong, as in `ampprof show findings`
};

}  // namespace ampprof::gates
