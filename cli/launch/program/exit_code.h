// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::cli {

/// Exit codes of the process. Public: never renumber.
enum ExitCode : int {
  kFine = 0,
  kGateFailed = 1,
  kWrongUsage = 2,
  kProgramFailed = 3,
  kReportUnreadable = 4,
};

}  // namespace ampprof::cli
