// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/environment.h"
#include "cli/launch/process_notes.h"
#include "reports/records/records.h"

/// Reports that the ranks of a program write, each its own, and that become one when the program has ended
/// (--record-ranks). The preload stub makes them beside the report that they become.
namespace ampprof::cli {

/// Which reports of ranks one run came to.
struct RankedRun {
  std::vector<std::filesystem::path> reports;  ///< at least one: without a rank, one that says why
  std::string unrecorded;                      ///< why none holds an op call; "" where one does
  std::vector<Missing> missing;                ///< what is to be said
};

/// Throws UsageError where reports of ranks of an earlier run lie beside `report`; with `replace` they are removed.
void clear_rank_reports(const std::filesystem::path& report, bool replace);

/// Makes the report in `folder` that each rank's begins as, and says so in `recording`, whose report is the one beside
/// which they come to lie.
void prepare_rank_reports(const RunStart& start, const std::filesystem::path& folder, Recording& recording);

/// Completes the reports of the ranks of a run that has ended. Throws ReportError where none can be.
RankedRun end_rank_reports(const Recording& recording, int exit_code, const ProcessNotes& notes, const Program& program,
                           const Installation& installation);

/// Makes one report of those of ranks, and removes them. Throws ReportError; then they are as they were.
void merge_rank_reports(const std::vector<std::filesystem::path>& reports, const std::filesystem::path& target);

}  // namespace ampprof::cli
