// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "cli/launch/ranks/rank_watch.h"
#include "cli/launch/run/environment.h"
#include "reports/records/run.h"

/// Reports of a program's ranks. Each rank writes its own report, which the preload stub creates beside the final
/// report. The reports are merged when all runs have ended.
namespace ampprof::cli {

/// The report of a rank.
struct RankReport {
  std::int64_t rank = 0;
  std::filesystem::path path;
  bool saw_process = false;  ///< a recorder has written into the report
  bool has_calls = false;
};

/// Returns the existing files named recording::file_of_rank(file, rank), by rank.
std::map<std::int64_t, std::filesystem::path> files_of_ranks(const std::filesystem::path& file);

/// Sets `recording.rank_report` to the report's path, or to r-2.ampprof and so on if rank reports of an earlier run
/// have its names (recording::file_of_rank()). Creates `recording.rank_template` in `folder`, a file that the preload
/// stub copies to create each rank's report.
void prepare_rank_reports(const std::vector<RunStart>& starts, const std::filesystem::path& folder,
                          Recording& recording);

/// Completes the rank reports of a finished run and returns them, ascending by rank. If `exit_code` is 0, ranks whose
/// exit code is unknown get 0. Throws ReportError.
std::vector<RankReport> end_rank_reports(const Recording& recording, int exit_code, const RankEndings& endings);

/// If some rank has op calls, deletes the reports that no recorder wrote into, also from `ranks`, and returns a remark
/// for each rank without op calls. Otherwise does nothing.
std::vector<Missing> remove_unrecorded_ranks(std::vector<RankReport>& ranks, const RankEndings& endings);

/// Merges reports into `target`, which may be one of them, and removes the other reports. Throws ReportError; all
/// reports are then unchanged.
void merge_into_one(const std::vector<std::filesystem::path>& reports, const std::filesystem::path& target);

}  // namespace ampprof::cli
