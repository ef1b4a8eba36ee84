// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/gates/evaluate.h"
#include "reports/gates/evidence.h"
#include "reports/gates/occasion.h"
#include "reports/queries/report.h"

namespace ampprof::analysis {

/// A gate's rule, and where it was read: "" for the command line, else "FILE:3".
struct Gate {
  gates::GateRule rule;
  std::string where;
};

struct JudgedGate {
  gates::GateResult result;
  std::string where;
};

/// Selects the data to read for gates in addition to the metrics of runs. Reading this data takes long.
struct GateDetail {
  bool sites = false;
  bool findings = false;

  bool operator==(const GateDetail&) const = default;
};
GateDetail detail_for(const std::vector<Gate>& gates);

/// Returns whether any gate compares a time with that of another run, phase or call site.
bool compare_times(const std::vector<Gate>& gates);

/// Returns the data that gates need of each run, in the order of `runs`.
std::vector<gates::RunEvidence> gate_evidence(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                              const std::string& target_gpu, GateDetail detail);

/// Returns one side of a comparison for gate rules: `all` has the evidence of all runs, `meant` that of the runs in the
/// argument `meant`. The result refers to `evidence`.
gates::Side side_of(const std::vector<gates::RunEvidence>& evidence, const std::vector<queries::RunRow>& meant);

std::vector<JudgedGate> judged(const std::vector<Gate>& gates, const std::vector<gates::Occasion>& occasions);

std::size_t count_failed(const std::vector<JudgedGate>& gates);

}  // namespace ampprof::analysis
