// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// Names the variables and files that tell the preload stub what it needs before LibTorch is there. They are apart from
/// those of options.h, since the stub links libc and libstdc++ only.
namespace ampprof::recording {

/// Begins the name of each variable that an outer `ampprof run` may have left in the environment.
inline constexpr std::string_view kVariablePrefix = "AMPPROF_RECORD_";

inline constexpr const char* kReportVariable = "AMPPROF_RECORD_REPORT";  ///< path of the report
/// Folder that holds what is bound to one LibTorch in a folder for each: torch-2.11.0/libampprof.so.
inline constexpr const char* kLibrariesVariable = "AMPPROF_RECORD_LIBRARIES";
inline constexpr const char* kTorchFolderPrefix = "torch-";              ///< of such a folder; the version follows
inline constexpr const char* kRecorder = "libampprof.so";                ///< the file in such a folder
inline constexpr const char* kPythonVariable = "AMPPROF_RECORD_PYTHON";  ///< path of the Python hooks
inline constexpr const char* kClaimVariable = "AMPPROF_RECORD_CLAIM";    ///< path of the claim file
inline constexpr const char* kRunVariable = "AMPPROF_RECORD_RUN";        ///< the run's id in the report
/// Path of the report that a rank's begins as: it holds the run, with id kRunOfRank, and nothing else. Unset: ranks are
/// not told apart.
inline constexpr const char* kRankTemplateVariable = "AMPPROF_RECORD_RANK_TEMPLATE";
inline constexpr std::int64_t kRunOfRank = 1;
/// Path that the reports of ranks are named after (file_of_rank()).
inline constexpr const char* kRankReportVariable = "AMPPROF_RECORD_RANK_REPORT";
/// Ranks that record, as rank_list.h reads them; unset: all do.
inline constexpr const char* kRanksVariable = "AMPPROF_RECORD_RANKS";
/// The place that a launcher gave `ampprof run` itself, as name_of_place() has it: what it starts inherits that place,
/// and is no rank of a launcher of its own.
inline constexpr const char* kOwnPlaceVariable = "AMPPROF_RECORD_OWN_PLACE";

}  // namespace ampprof::recording
