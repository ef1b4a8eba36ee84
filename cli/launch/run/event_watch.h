// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analysis/diagnosis/judged_gates.h"
#include "cli/launch/run/command_queue.h"

namespace ampprof::cli {

/// Returns the command of `ampprof run --on-event` with the quoted path of the report in place of each {}.
std::string command_for(const std::string& command, const std::filesystem::path& report);

/// Runs a shell command of the user at the first overflow of a run, at each new finding, and at the first failure of
/// each gate. Commands run in the background, one for each event, one after another. Their output goes to stderr. Their
/// environment variable AMPPROF_EVENT describes the event in a sentence. The destructor waits for the last command.
class EventWatch {
 public:
  /// `command`: see command_for(); "" disables the watch. Throws RuleError if one of `rules` is not a valid rule about
  /// one report.
  EventWatch(std::string command, const std::vector<std::string>& rules);

  /// Checks a run of a report for events. Skips the check if the last one was too recent, so that checks take at most a
  /// twentieth of the time.
  void look(const std::filesystem::path& report, std::int64_t run);
  /// Checks without skipping, because the run has ended.
  void check_finished_run(const std::filesystem::path& report, std::int64_t run);

 private:
  void say(const std::filesystem::path& report, const std::string& sentence);

  void judge(const std::filesystem::path& path, const queries::Report& report, const std::vector<queries::RunRow>& all,
             const std::vector<queries::RunRow>& meant);

  std::string command_;
  std::vector<analysis::Gate> gates_;  ///< gates that have not failed yet
  std::chrono::steady_clock::time_point next_{};
  bool has_overflow_ = false;
  std::set<std::string> findings_;  ///< keys of the reported findings: kind and call site
  CommandQueue commands_;
};

}  // namespace ampprof::cli
