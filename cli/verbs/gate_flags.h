// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/diagnosis/judged_gates.h"
#include "cli/verbs/flags.h"
#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "views/diagnosis/gates.h"

namespace ampprof::cli {

/// Values of the gate flags of `check` and `diff`.
struct GateFlags {
  std::vector<std::string> rules = {};
  std::vector<std::string> files = {};
};

/// Adds --gate and --gates, which may be repeated.
void add_gate_flags(CLI::App& app, GateFlags& flags);

/// Parses the rules of --gate, then the rules in files: one per line, `#` begins a comment. Throws UsageError, which
/// shows the rule with a caret under the error.
std::vector<analysis::Gate> read_gates(const GateFlags& flags, gates::Reports reports);

/// Returns the part of the help that describes rules.
std::string gate_help();

/// Prints "1 of 3 gates failed." on stderr if a gate failed. Returns the exit code.
int print_outcome(const std::vector<analysis::JudgedGate>& gates);

}  // namespace ampprof::cli
