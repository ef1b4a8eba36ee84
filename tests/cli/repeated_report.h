// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::cli {

struct RepeatedReport {
  int repeats = 4;
  std::string front = "features";  ///< name of the module that holds the convolutions
  double slowness = 1.0;           ///< factor on the times of O1
  bool overflows = false;          ///< whether the second step of O1 overflows
};

/// Writes a report with repeats at O0 and O1: 4 steps of two convolutions, a linear layer and its backward op. Repeats
/// have the same errors and losses but different times, from 3 ms up at O0 and from 1.5 ms up at O1.
void write_repeated_report(const std::filesystem::path& path, const RepeatedReport& wanted);

}  // namespace ampprof::cli
