// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cli/launch/run/child.h"
#include "cli/launch/run/environment.h"
#include "reports/store/temporary_folder.h"
#include "reports/store/writer.h"

namespace ampprof::cli {

/// A run to record.
struct RecordedRun {
  RunOptions options;  ///< with the run's seed; `policy` below replaces the policy file
  std::string level;   ///< "" if the program decides
  std::string policy;  ///< text of a policy file, "" for none
  std::int32_t repeat = 0;
};

/// Concurrent runs of one program, recorded into one report. Their output does not reach the terminal.
class RecordedRuns {
 public:
  struct Ended {
    std::int64_t run = 0;
    Ending ending;
    bool was_stopped = false;  ///< stop() was called for the run
    std::string output;        ///< stdout and stderr
    double seconds = 0.0;
    std::string unrecorded;  ///< why the run has no op calls; "" if it has some
  };

  /// Writes into `report`, which exists. Everything but `report` must outlive this object.
  RecordedRuns(const Program& program, const Installation& installation, std::filesystem::path report);

  /// Returns the run's id.
  std::int64_t start(const RecordedRun& run);
  /// Waits until a run ends, and returns its ending; returns nothing after `limit`.
  std::optional<Ended> wait(std::chrono::milliseconds limit);
  /// Sends SIGTERM to a run, and SIGKILL some seconds later. Does nothing for a finished run.
  void stop(std::int64_t run);
  std::size_t running() const { return running_.size(); }
  bool interrupted() const { return children_.interrupted(); }
  store::ReportWriter& writer() { return writer_; }

 private:
  struct Running {
    pid_t child = 0;
    Recording recording;
    std::filesystem::path output;
    std::chrono::steady_clock::time_point began;
    std::optional<std::chrono::steady_clock::time_point> stopped;
  };

  Ended ended(std::int64_t run, const Running& running, const Ending& ending);
  void end_what_does_not_end();

  const Program& program_;
  const Installation& installation_;
  std::filesystem::path report_;
  store::ReportWriter writer_;
  store::TemporaryFolder folder_;
  Children children_;
  std::map<std::int64_t, Running> running_;  ///< by run
};

}  // namespace ampprof::cli
