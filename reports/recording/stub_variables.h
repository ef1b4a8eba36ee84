// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// Names of variables and files that the preload stub needs before LibTorch is loaded. They are separate from
/// options.h, since the stub links only libc and libstdc++.
namespace ampprof::recording {

/// Prefix of all variables that an outer `ampprof run` may have left in the environment.
inline constexpr std::string_view kVariablePrefix = "AMPPROF_RECORD_";

inline constexpr const char* kReportVariable = "AMPPROF_RECORD_REPORT";  ///< path of the report
/// Folder with the files for each LibTorch version in a subfolder: torch-2.11.0/libampprof.so.
inline constexpr const char* kLibrariesVariable = "AMPPROF_RECORD_LIBRARIES";
inline constexpr const char* kTorchFolderPrefix = "torch-";              ///< prefix of a subfolder; the version follows
inline constexpr const char* kRecorder = "libampprof.so";                ///< the recorder's file in each subfolder
inline constexpr const char* kPythonVariable = "AMPPROF_RECORD_PYTHON";  ///< path of the Python hooks
inline constexpr const char* kClaimVariable = "AMPPROF_RECORD_CLAIM";    ///< file with the id of the recording process
inline constexpr const char* kRunVariable = "AMPPROF_RECORD_RUN";        ///< the run's id in the report
/// Path of the report that each rank copies to begin its own. It holds only the run, with id kRunOfRank. Unset: all
/// processes share one report.
inline constexpr const char* kRankTemplateVariable = "AMPPROF_RECORD_RANK_TEMPLATE";
inline constexpr std::int64_t kRunOfRank = 1;
/// Path from which file_of_rank() makes the name of each rank's report.
inline constexpr const char* kRankReportVariable = "AMPPROF_RECORD_RANK_REPORT";
/// Ranks that record, in the format of rank_list.h. Unset: all ranks.
inline constexpr const char* kRanksVariable = "AMPPROF_RECORD_RANKS";
/// Rank and size that a launcher gave `ampprof run` itself, as amp::parallel::rank_identity_text() formats them. If the
/// rank and size of the program are equal to these, the program only inherited them: no launcher inside `ampprof run`
/// assigned them.
inline constexpr const char* kOwnPlaceVariable = "AMPPROF_RECORD_OWN_PLACE";

}  // namespace ampprof::recording
