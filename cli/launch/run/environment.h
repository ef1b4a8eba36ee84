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

/// Files, ids and settings of one recorded execution of the program.
struct Recording {
  std::filesystem::path report;
  std::int64_t run = 0;   ///< run id in the report; the first one if `runs` > 1
  std::int64_t runs = 1;  ///< number of successive ids: one for each recipe of --what-if
  /// The claim file, which the recorded process creates. A rank creates file_of_rank(claim, rank) instead.
  std::filesystem::path claim;
  std::string level;                               ///< "" if the program decides
  bool eager = false;                              ///< runs without torch.compile
  std::int64_t max_bytes = recording::kMaxReport;  ///< largest size of the report after this run
  /// Path of a report that is copied to recording::file_of_rank(rank_report, rank) to create a rank's report; "" if
  /// ranks have no reports of their own.
  std::filesystem::path rank_template = {};
  std::filesystem::path rank_report = {};
};

using Environment = std::vector<std::string>;  ///< "NAME=value"

/// Returns this process's own environment.
Environment own_environment();

/// Returns `base` with the folder of a LibTorch's libraries first in the loader's search path.
Environment with_torch(const std::filesystem::path& lib, Environment base);

/// Returns the variables that the preload stub and the recorder read in a program with environment `base`.
Environment recorder_variables(const Recording& recording, const RunOptions& options, const Program& program,
                               const Installation& installation, const Environment& base);

/// Returns `base` with the settings of `recording` that change the program, such as the level, but without the
/// recorder.
Environment unrecorded_environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                                      Environment base);

/// Returns the environment of a program to record: `base`, the stub in LD_PRELOAD, and the recorder's options in
/// AMPPROF_RECORD_…. Drops the AMPPROF_RECORD_… variables of an outer `ampprof run`.
Environment environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                           const Installation& installation, Environment base);

}  // namespace ampprof::cli
