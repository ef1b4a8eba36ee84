// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::gates {

struct RunEvidence;

using Runs = std::vector<const RunEvidence*>;

/// One report as a rule sees it.
struct Side {
  Runs meant = {};  ///< the runs that a metric is of if the rule names none
  Runs all = {};    ///< those that it can name
};

/// One occasion on which a rule has to hold: a level of a report, or a level of one report against one of another.
struct Occasion {
  std::string label;  ///< "O1", "O0 against O1"
  Side a = {};        ///< of two reports the first; empty where there is one
  Side b;             ///< what a rule speaks of that names no side
};

}  // namespace ampprof::gates
