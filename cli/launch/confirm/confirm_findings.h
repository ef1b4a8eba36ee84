// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::cli {

/// Runs the program once with each remedy that a run can apply, and writes the results into the report. If `only` is
/// not "", tests only the remedy of this name. Prints each command before it runs, since commands come from the report,
/// which somebody else may have made. Returns false if a signal asked ampprof to stop. Throws ReportError. Throws
/// UsageError if a run fails; earlier results are kept.
bool confirm_findings(const std::filesystem::path& report, const std::vector<analysis::Finding>& findings,
                      const std::vector<queries::RunRow>& runs, const std::string& only,
                      const Installation& installation);

}  // namespace ampprof::cli
