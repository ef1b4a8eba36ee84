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

/// Where one run goes.
struct Recording {
  std::filesystem::path report;
  std::int64_t run = 0;                 ///< the first, where recipes are followed in one run of the program
  std::int64_t runs = 1;                ///< of the report, one behind the other
  std::filesystem::path claim;          ///< a file that does not exist: the process that is recorded makes it, and a
                                        ///< rank file_of_rank() of it
  std::string level;                    ///< "" where the program decides
  bool eager = false;                   ///< torch.compile leaves the program as it is
  std::int64_t max_bytes = recording::kMaxReport;  ///< of the report when this run has ended
  /// Begins the report of a rank, which lies at recording::file_of_rank(rank_report). "": ranks have none.
  std::filesystem::path rank_template = {};
  std::filesystem::path rank_report = {};
};

using Environment = std::vector<std::string>;  ///< "NAME=value"

/// This process's own environment.
Environment own_environment();

/// Returns `base` with the folder of a LibTorch's libraries before all where the loader looks.
Environment with_torch(const std::filesystem::path& lib, Environment base);

/// Returns what the stub and the recorder of a program are told, whose environment is `base`.
Environment recorder_variables(const Recording& recording, const RunOptions& options, const Program& program,
                               const Installation& installation, const Environment& base);

/// Returns `base` with what a program is told that runs as `recording` says, and that nobody records.
Environment unrecorded_environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                                      Environment base);

/// The environment of a program that is to be recorded: `base`, the stub in LD_PRELOAD, and what the recorder is to do
/// in AMPPROF_RECORD_…. Such variables of an outer `ampprof run` are dropped.
Environment environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                           const Installation& installation, Environment base);

}  // namespace ampprof::cli
