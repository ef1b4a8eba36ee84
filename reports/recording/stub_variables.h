// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// Ranks that record, each into a report of its own, as rank_list.h reads them; unset: one process does.
inline constexpr const char* kRanksVariable = "AMPPROF_RECORD_RANKS";
/// Path of the report that a rank's begins as: it holds the run, and nothing else.
inline constexpr const char* kRankTemplateVariable = "AMPPROF_RECORD_RANK_TEMPLATE";
/// LOCAL_RANK of `ampprof run` itself; tells workers of a launcher that it starts from one that starts it.
inline constexpr const char* kLocalRankVariable = "AMPPROF_RECORD_LOCAL_RANK";

}  // namespace ampprof::recording
