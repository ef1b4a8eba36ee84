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

/// Flags of gates that `check` and `diff` take.
struct GateFlags {
  std::vector<std::string> rules = {};
  std::vector<std::string> files = {};
};

/// --gate and --gates, each once or more.
void add_gate_flags(CLI::App& app, GateFlags& flags);

/// Reads the rules, those of files last: one a line, `#` begins a comment. Throws UsageError, which shows the rule with
/// a caret under what is wrong.
std::vector<analysis::Gate> read_gates(const GateFlags& flags, gates::Reports reports);

/// The part of the help that says what a rule is made of.
std::string gate_help();

/// "1 of 3 gates failed." on stderr, where one did. Returns the exit code.
int told_outcome(const std::vector<analysis::JudgedGate>& gates);

}  // namespace ampprof::cli
