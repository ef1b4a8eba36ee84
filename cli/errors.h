// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::cli {

/// What the process returns to its caller. Public: never renumber.
enum ExitCode : int {
  kFine = 0,
  kGateFailed = 1,
  kWrongUsage = 2,
  kProgramFailed = 3,
  kReportUnreadable = 4,
};

/// The user asked for something that cannot be done. The text is a sentence: what is wrong, where, and what to do.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ampprof::cli
