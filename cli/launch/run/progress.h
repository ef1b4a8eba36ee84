// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "reports/queries/report.h"
#include "reports/text/terminal.h"

namespace ampprof::cli {

/// Progress of a run.
struct Advance {
  std::string label;  ///< name of the run: its level
  std::int64_t step = 0;
  std::optional<std::int64_t> total;
  double seconds = 0;      ///< since the first step was seen
  std::int64_t since = 0;  ///< first step that the report showed
};

/// Returns "O1  [########----] 60/125 steps  31.2 steps/s  0:02 left"; without a total, neither bar nor time left.
std::string progress_line(const Advance& advance, int width);

/// Returns "O1  running for 0:42", for a report that cannot be read during the run.
std::string running_line(const std::string& label, double seconds, int width);

/// The progress line of one run on stderr, cleared by the destructor. Prints nothing if stderr is not a terminal.
class Progress {
 public:
  Progress(std::string label, std::optional<std::int64_t> total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Reads the progress of a run from its report, and redraws the line.
  void update(const std::filesystem::path& report, std::int64_t run);

 private:
  std::string line(const std::filesystem::path& report, std::int64_t run);

  std::filesystem::path path_;  ///< path of report_
  Advance advance_;
  text::Terminal terminal_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<queries::Report> report_;
  std::optional<std::chrono::steady_clock::time_point> first_seen_;
};

}  // namespace ampprof::cli
