// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::cli {

struct RepeatedReport {
  int repeats = 4;
  std::string front = "features";  ///< name of the module that holds the convolutions
  double slowness = 1.0;           ///< of O1, times
  bool overflows = false;          ///< O1 overflows in its second step
};

/// A report with repeats at O0 and O1: 4 steps of two convolutions, a linear layer and the backward of it. Errors and
/// losses of repeats are the same, times are not: those of O0 are from 3 ms up, those of O1 from 1.5 ms up.
void write_repeated_report(const std::filesystem::path& path, const RepeatedReport& wanted);

}  // namespace ampprof::cli
