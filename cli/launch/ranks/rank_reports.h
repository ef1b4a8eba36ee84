// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "cli/launch/ranks/rank_watch.h"
#include "cli/launch/run/environment.h"
#include "reports/records/run.h"

/// Reports that the ranks of a program write, each its own, and that become one when all runs have ended. The preload
/// stub makes them beside the report that they become.
namespace ampprof::cli {

/// The report that a rank came to.
struct RankReport {
  std::int64_t rank = 0;
  std::filesystem::path path;
  bool saw_process = false;  ///< a recorder has written into it
  bool has_calls = false;
};

/// Returns the files recording::file_of_rank(file) that are there, by rank.
std::map<std::int64_t, std::filesystem::path> files_of_ranks(const std::filesystem::path& file);

/// Says in `recording` after which path ranks' reports are named: like its report, or r-2.ampprof and so on where such
/// reports of an earlier run are there, which are left alone. Makes the report in `folder` that each begins as.
void prepare_rank_reports(const std::vector<RunStart>& starts, const std::filesystem::path& folder,
                          Recording& recording);

/// Completes the reports of the ranks of a run that has ended, by rank. Where the program ended with 0, so did those of
/// which nothing else is known. Throws ReportError.
std::vector<RankReport> end_rank_reports(const Recording& recording, int exit_code, const RankEndings& endings);

/// Takes those out, and removes them, that no recorder wrote into, where other ranks were recorded. Returns what is to
/// be said of each rank that has no op call where others have some.
std::vector<Missing> take_out_silent_ranks(std::vector<RankReport>& ranks, const RankEndings& endings);

/// Makes one report of several, `target` perhaps among them, and removes the others. Throws ReportError; then they are
/// as they were.
void merge_into_one(const std::vector<std::filesystem::path>& reports, const std::filesystem::path& target);

}  // namespace ampprof::cli
