// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/run.h"

/// Data for gates. Plain rows, so that gates need neither a file nor a command line.
namespace ampprof::gates {

/// A call site with its Tensor Core verdict.
struct SiteEvidence {
  queries::OpRow op;
  std::optional<bool> suits_tensor_cores = {};  ///< empty for ops that the rules do not judge
};

/// All data of one run.
struct RunEvidence {
  queries::RunRow run;
  std::vector<SiteEvidence> sites = {};
  std::vector<Missing> missing = {};
  std::optional<double> predicted_loss_change = {};  ///< see predicted_loss_change()
  std::vector<std::string> findings = {};            ///< kinds of findings, as in `ampprof show findings`
};

}  // namespace ampprof::gates
