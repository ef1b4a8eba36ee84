// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "precision/probe/lines.h"
#include "reports/records/probe.h"
#include "reports/records/run.h"

namespace ampprof::probe {

/// Records that a probe adds to the report of a run.
struct ProbeOutcome {
  ProbeRecords records = {};
  std::vector<Missing> missing = {};
};

/// End of the probe, to explain missing results.
struct End {
  double budget_s = 0.0;
  std::string failure = {};  ///< "exit code 1", "signal SIGINT (Interrupt)"; "" if the probe finished
};

/// Returns, by run, the results and the reasons for missing results. Each result is repeated for every use of its case.
std::map<std::int64_t, ProbeOutcome> outcome_of(const Plan& plan, const Results& results, const End& end);

}  // namespace ampprof::probe
