// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "precision/probe/lines.h"
#include "reports/records/probe.h"
#include "reports/records/run.h"

namespace ampprof::probe {

/// Records that a run's report gets of a probe.
struct ProbeOutcome {
  ProbeRecords records = {};
  std::vector<Missing> missing = {};
};

/// How the probe ended, for what it did not answer.
struct End {
  double budget_s = 0.0;
  std::string failure = {};  ///< "exit code 1", "signal SIGINT (Interrupt)"; "" where it came to its end
};

/// By run: each answer at all places of its case, and what has none.
std::map<std::int64_t, ProbeOutcome> outcome_of(const Plan& plan, const Results& results, const End& end);

}  // namespace ampprof::probe
