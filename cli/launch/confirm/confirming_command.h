// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::analysis {
struct Remedy;
}

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::cli {

/// Returns why the program of a run cannot be run again, as a clause; "" if it can.
std::string why_not_rerun(const queries::RunRow& run);

/// Returns the text of the policy file for a run with this remedy: the run's own policy plus the remedy's line. Returns
/// "" if the remedy changes no policy. Throws UsageError if the run's own file cannot be read.
std::string confirming_policy(const queries::RunRow& run, const analysis::Remedy& remedy);

/// Returns a shell command that runs the program again, in its folder, as recorded and with the remedy. `ampprof` is
/// this program, `report` receives the recording, and `policy` is a file with the text of confirming_policy(), or "" if
/// that text is empty.
std::string confirming_command(const queries::RunRow& run, const analysis::Remedy& remedy,
                               const std::filesystem::path& ampprof, const std::filesystem::path& report,
                               const std::filesystem::path& policy);

}  // namespace ampprof::cli
