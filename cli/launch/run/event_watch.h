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

/// Returns the command of `ampprof run --on-event`, where {} stands for the report.
std::string command_for(const std::string& command, const std::filesystem::path& report);

/// Runs a shell command of the user at the first overflow of a run, at each finding that is new in it, and when a gate
/// fails first. The command runs beside the program, once for each event, one after another. What it prints goes to
/// stderr. AMPPROF_EVENT of its environment is a sentence. The destructor waits for the last one.
class EventWatch {
 public:
  /// `command`: see command_for(); "" does nothing. Throws RuleError for a text that is not a rule of one report.
  EventWatch(std::string command, const std::vector<std::string>& rules);

  /// Looks at a run of a report, unless it did so a moment ago: it takes at most a twentieth of the time.
  void look(const std::filesystem::path& report, std::int64_t run);
  /// Looks at once: the run is over.
  void look_last(const std::filesystem::path& report, std::int64_t run);

 private:
  void say(const std::filesystem::path& report, const std::string& sentence);

  void judge(const std::filesystem::path& path, const queries::Report& report, const std::vector<queries::RunRow>& all,
             const std::vector<queries::RunRow>& meant);

  std::string command_;
  std::vector<analysis::Gate> gates_;  ///< that have not failed so far
  std::chrono::steady_clock::time_point next_{};
  bool has_overflow_ = false;
  std::set<std::string> findings_;  ///< kind and place
  CommandQueue commands_;
};

}  // namespace ampprof::cli
