// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "cli/launch/program/program.h"
#include "reports/recording/options.h"

namespace ampprof::cli {

/// Destination of one run.
struct Recording {
  std::filesystem::path report;
  std::int64_t run = 0;         ///< the first, if recipes are followed in one run of the program
  std::int64_t runs = 1;        ///< successive ids in the report
  std::filesystem::path claim;  ///< a file that does not exist: the recorded process creates it, and a
                                ///< rank creates file_of_rank() of it
  std::string level;            ///< "" if the program decides
  bool eager = false;           ///< torch.compile leaves the program unchanged
  std::int64_t max_bytes = recording::kMaxReport;  ///< largest size of the report after this run
  /// Path of the report that a rank's report at recording::file_of_rank(rank_report) starts as a copy of. "": the run
  /// has no ranks.
  std::filesystem::path rank_template = {};
  std::filesystem::path rank_report = {};
};

using Environment = std::vector<std::string>;  ///< "NAME=value"

/// Returns this process's own environment.
Environment own_environment();

/// Returns `base` with the folder of a LibTorch's libraries first in the loader's search path.
Environment with_torch(const std::filesystem::path& lib, Environment base);

/// Returns the variables for the stub and the recorder of a program with environment `base`.
Environment recorder_variables(const Recording& recording, const RunOptions& options, const Program& program,
                               const Installation& installation, const Environment& base);

/// Returns `base` with the variables of a program that runs as `recording` says, without being recorded.
Environment unrecorded_environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                                      Environment base);

/// Returns the environment of a program to record: `base`, the stub in LD_PRELOAD, and the recorder's options in
/// AMPPROF_RECORD_…. Drops such variables of an outer `ampprof run`.
Environment environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                           const Installation& installation, Environment base);

}  // namespace ampprof::cli
