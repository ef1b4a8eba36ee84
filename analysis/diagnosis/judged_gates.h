// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/gates/evaluate.h"
#include "reports/queries/report.h"

namespace ampprof::gates {
struct Occasion;
struct RunEvidence;
}  // namespace ampprof::gates

namespace ampprof::queries {
struct RunRow;
}

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

std::vector<JudgedGate> judged(const std::vector<Gate>& gates, const std::vector<gates::Occasion>& occasions);

std::size_t count_failed(const std::vector<JudgedGate>& gates);

}  // namespace ampprof::analysis
