// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::gates {

struct RunEvidence;

using Runs = std::vector<const RunEvidence*>;

/// The runs of one report that a rule is judged on.
struct Side {
  Runs meant = {};  ///< the runs for a metric without a level or run id
  Runs all = {};    ///< the runs that a rule can select by level or id
};

/// One occasion on which a rule has to hold: a level of a report, or a level of one report against a level of another.
struct Occasion {
  std::string label;  ///< "O1", "O0 against O1"
  Side a = {};        ///< the first of two reports; empty if there is only one
  Side b;             ///< default side of a rule's metrics
};

}  // namespace ampprof::gates
