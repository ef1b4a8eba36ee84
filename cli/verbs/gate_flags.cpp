// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/gate_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analysis/diagnosis/judged_gates.h"
#include "analysis/ops/nearest.h"
#include "cli/launch/program/exit_code.h"
#include "reports/gates/evidence.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "reports/text/usage_error.h"
#include "views/ops/views.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kMostBefore = 50;  // bytes of a long rule shown before the error

constexpr const char* kLanguage = R"(
RULE compares numbers and metrics with < <= > >= == !=, calculates with + - * /,
and joins with and, or and parentheses. Numbers may have a unit: 20 ms, 2 GB,
90 %. Metrics take arguments in any order: a level (O1) or a run's id, a phase
(backward), and a pattern of call sites (conv*), which is compared with the op,
the module and module/op. Without a level, a rule must hold at every level.
A gate fails if the report lacks the data it needs.

Metrics:
)";

text::UsageError unreadable(const std::string& where, const std::string& rule, const gates::RuleError& error) {
  // Shows the part of the rule around the error that fits on one line.
  const std::size_t begin = error.offset > kMostBefore ? error.offset - kMostBefore : 0;
  const std::string shown = text::printable(rule.substr(begin, 2 * kMostBefore));
  const int before = text::display_width(text::printable(rule.substr(begin, error.offset - begin)));
  const int column = text::display_width(rule.substr(0, error.offset)) + 1;
  return text::UsageError(
      fmt::format("{}, column {}: {}{}\n  {}\n  {:>{}}", where, column, text::printable(error.what()),
                  error.known.empty() ? "" : text::printable(analysis::did_you_mean(error.typed, error.known)), shown,
                  "^", before + 1));
}

analysis::Gate read_gate(const std::string& text, const std::string& file_and_line, gates::Reports reports) {
  try {
    return {gates::parse_rule(text, reports), file_and_line};
  } catch (const gates::RuleError& error) {
    throw unreadable(file_and_line.empty() ? "--gate" : text::printable(file_and_line), text, error);
  }
}

std::string without_comment(const std::string& line) {
  // A pattern in quotes may contain a #.
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote == 0 && line[i] == '#') return line.substr(0, i);
    if (line[i] == '"' || line[i] == '\'') quote = quote == 0 ? line[i] : quote == line[i] ? 0 : quote;
  }
  return line;
}

void read_file(const std::string& path, gates::Reports reports, std::vector<analysis::Gate>& gates) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw text::UsageError(fmt::format("--gates: cannot read {}. Check that it is a readable file.", path));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string rule = without_comment(line);
    if (rule.find_first_not_of(" \t\r") == std::string::npos) continue;
    gates.push_back(
        read_gate(rule.substr(0, rule.find_last_not_of(" \t\r") + 1), fmt::format("{}:{}", path, number), reports));
  }
}

}  // namespace

void add_gate_flags(CLI::App& app, GateFlags& flags) {
  add_option(app, "--gate", flags.rules, "fail unless this rule holds; repeatable")
      ->allow_extra_args(false)
      ->type_name("RULE");
  add_option(app, "--gates", flags.files, "read rules from this file, one per line; # begins a comment; repeatable")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

std::vector<analysis::Gate> read_gates(const GateFlags& flags, gates::Reports reports) {
  std::vector<analysis::Gate> gates;
  for (const std::string& rule : flags.rules) gates.push_back(read_gate(rule, "", reports));
  for (const std::string& file : flags.files) read_file(file, reports, gates);
  return gates;
}

std::string gate_help() { return kLanguage + gates::metric_help(); }

int print_outcome(const std::vector<analysis::JudgedGate>& gates) {
  const std::size_t failed = analysis::count_failed(gates);
  if (failed == 0) return kFine;
  fmt::print(stderr, "ampprof: {} of {} failed.\n", failed,
             text::counted(static_cast<std::int64_t>(gates.size()), "gate"));
  return kGateFailed;
}

}  // namespace ampprof::cli
