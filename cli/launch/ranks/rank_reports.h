// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "cli/launch/ranks/rank_watch.h"
#include "cli/launch/run/environment.h"
#include "reports/records/run.h"

/// Reports of a program's ranks. Each rank writes its own, and they are merged when all runs have ended. The preload
/// stub creates them beside the merged report.
namespace ampprof::cli {

/// The report of a rank.
struct RankReport {
  std::int64_t rank = 0;
  std::filesystem::path path;
  bool saw_process = false;  ///< a recorder has written into it
  bool has_calls = false;
};

/// Returns the existing files recording::file_of_rank(file), by rank.
std::map<std::int64_t, std::filesystem::path> files_of_ranks(const std::filesystem::path& file);

/// Sets the path in `recording` that names ranks' reports: that of its report, or r-2.ampprof and so on if reports of
/// an earlier run exist, which stay. Makes the report in `folder` that each rank's report starts as a copy of.
void prepare_rank_reports(const std::vector<RunStart>& starts, const std::filesystem::path& folder,
                          Recording& recording);

/// Completes the rank reports of a finished run, by rank. If the program ended with 0, sets that for ranks without a
/// known exit code. Throws ReportError.
std::vector<RankReport> end_rank_reports(const Recording& recording, int exit_code, const RankEndings& endings);

/// If some ranks were recorded, removes the reports that no recorder wrote into. Returns a remark for each rank without
/// an op call, if others have some.
std::vector<Missing> take_out_silent_ranks(std::vector<RankReport>& ranks, const RankEndings& endings);

/// Merges several reports into one, possibly `target` itself, and removes the others. Throws ReportError, and leaves
/// them unchanged then.
void merge_into_one(const std::vector<std::filesystem::path>& reports, const std::filesystem::path& target);

}  // namespace ampprof::cli
