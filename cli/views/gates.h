// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/format.h"
#include "cli/views/targets.h"
#include "reports/gates/evaluate.h"

namespace ampprof::cli {

/// A rule and where it stands: "" for the command line, else "FILE:3".
struct Gate {
  gates::Rule rule;
  std::string where;
};

struct JudgedGate {
  gates::GateResult result;
  std::string where;
};

/// Whether the metric of any gate asks for call sites, which take long to read.
bool ask_for_sites(const std::vector<Gate>& gates);

/// Whether any gate compares a time with another, of another run, phase or call site.
bool compare_times(const std::vector<Gate>& gates);

/// What gates are judged by, for each of `runs`, in their order.
std::vector<gates::RunEvidence> gate_evidence(const Report& report, const std::vector<RunRow>& runs,
                                              const std::string& target_gpu, bool with_sites);

std::vector<JudgedGate> judged(const std::vector<Gate>& gates, const std::vector<gates::Occasion>& occasions);

std::size_t count_failed(const std::vector<JudgedGate>& gates);

/// One line per gate: how it came out, and the values on both sides of its comparisons.
View gates_view(const std::vector<JudgedGate>& gates, Format format);

/// What `ampprof check` prints; Markdown has a heading with the outcome, for a comment on a change.
std::string formatted(const std::vector<JudgedGate>& gates, const std::string& report, Format format,
                      const Terminal& terminal);

/// JUnit XML: a suite named `suite` with one test case per gate.
std::string junit(const std::vector<JudgedGate>& gates, const std::string& suite);

}  // namespace ampprof::cli
