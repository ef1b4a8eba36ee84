// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/text/terminal.h"
#include "cli/views/targets.h"

namespace ampprof::cli {

/// Everything of a report that the summary draws from.
struct Findings {
  std::vector<RunRow> runs;
  std::vector<OpRow> ops;
  std::vector<EventRow> events;
  std::vector<MissingRow> missing;
  std::vector<ImpactRow> impacts = {};
  double threshold = 1e-2;  ///< inherited error, relative L2, from which on an op is said to diverge
};

/// One thing that the report says, as a sentence.
struct Statement {
  std::string text;
  Tone tone = Tone::Plain;
  std::string_view view = {};  ///< of `ampprof show`, which has the evidence; "" for none

  bool operator==(const Statement&) const = default;
};

/// The run that the lists of the summary are about: the first at O1, else at O2, else at O3, else the last; the lower a
/// level, the less it changes, and O0 changes nothing. Empty for a report without runs.
std::optional<RunRow> run_of_interest(const std::vector<RunRow>& runs);

/// Ops of a run and phase whose local error is known, largest first.
std::vector<OpRow> worst_ops(const Findings& findings, std::int64_t run, Phase phase, std::size_t limit);

/// GEMMs and convolutions of a run that miss a Tensor Core rule, the costliest in time first.
std::vector<OpRow> tensor_core_misses(const Findings& findings, const Targets& targets, std::int64_t run);

/// Whether a run took its times where a CPU emulated FP16.
bool holds_times_of_cpu(const std::vector<RunRow>& runs);

/// What times of levels in half precision are worth that a CPU took.
inline constexpr const char* kTimesOfCpu = "FP16 is emulated on the CPU: errors are those of a GPU, times are not.";

/// What the report says, most important first.
std::vector<Statement> answer(const Findings& findings, const Targets& targets);

/// As lines of the terminal, those behind the first set in, in the statement's colour.
std::string wrapped(const Statement& statement, const Terminal& terminal);

}  // namespace ampprof::cli
