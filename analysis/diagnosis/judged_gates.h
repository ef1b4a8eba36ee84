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

/// A rule and where it stands: "" for the command line, else "FILE:3".
struct Gate {
  gates::GateRule rule;
  std::string where;
};

struct JudgedGate {
  gates::GateResult result;
  std::string where;
};

/// Tells what gates are judged by beside the figures of runs. It takes long to read.
struct GateDetail {
  bool sites = false;
  bool findings = false;

  bool operator==(const GateDetail&) const = default;
};
GateDetail detail_for(const std::vector<Gate>& gates);

/// Whether any gate compares a time with another, of another run, phase or call site.
bool compare_times(const std::vector<Gate>& gates);

/// Returns what gates are judged by, for each of `runs`, in their order.
std::vector<gates::RunEvidence> gate_evidence(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                              const std::string& target_gpu, GateDetail detail);

/// Returns what rules may ask of one side: the runs that are meant among all that have evidence, which has to outlive
/// it.
gates::Side side_of(const std::vector<gates::RunEvidence>& evidence, const std::vector<queries::RunRow>& meant);

std::vector<JudgedGate> judged(const std::vector<Gate>& gates, const std::vector<gates::Occasion>& occasions);

std::size_t count_failed(const std::vector<JudgedGate>& gates);

}  // namespace ampprof::analysis
