// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::cli {

/// Exit codes of the process. Public: never renumber.
enum ExitCode : int {
  kFine = 0,
  kGateFailed = 1,
  kWrongUsage = 2,
  kProgramFailed = 3,
  kReportUnreadable = 4,
};

/// An exit code and its meaning.
struct ExitCodeText {
  ExitCode code;
  std::string_view about;  ///< the meaning, as a sentence
};

/// All exit codes, in order.
inline constexpr ExitCodeText kExitCodes[]{
    {kFine, "The verb did what it was asked."},
    {kGateFailed, "A gate failed (`check`, `diff --gate`), or `search` found no set that passes."},
    {kWrongUsage,
     "The usage is wrong, nothing could be recorded, or a file cannot be written. The last line says why."},
    {kProgramFailed, "The profiled program failed or was stopped. The report is kept and says so."},
    {kReportUnreadable, "The report cannot be read."},
};

}  // namespace ampprof::cli
