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
inline constexpr const char* kRecorder = "libampprof.so";                ///< file in such a subfolder
inline constexpr const char* kPythonVariable = "AMPPROF_RECORD_PYTHON";  ///< path of the Python hooks
inline constexpr const char* kClaimVariable = "AMPPROF_RECORD_CLAIM";    ///< path of the claim file
inline constexpr const char* kRunVariable = "AMPPROF_RECORD_RUN";        ///< the run's id in the report
/// Path of the report that each rank's report starts as a copy of. It holds only the run, with id kRunOfRank. Unset:
/// all processes share one report.
inline constexpr const char* kRankTemplateVariable = "AMPPROF_RECORD_RANK_TEMPLATE";
inline constexpr std::int64_t kRunOfRank = 1;
/// Path that names the reports of ranks (file_of_rank()).
inline constexpr const char* kRankReportVariable = "AMPPROF_RECORD_RANK_REPORT";
/// Ranks that record, in the format of rank_list.h; unset: all do.
inline constexpr const char* kRanksVariable = "AMPPROF_RECORD_RANKS";
/// The place that a launcher gave `ampprof run` itself, as name_of_place() formats it. The program inherits that place,
/// and is not a rank of a launcher of its own.
inline constexpr const char* kOwnPlaceVariable = "AMPPROF_RECORD_OWN_PLACE";

}  // namespace ampprof::recording
