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

/// Returns why the program of a run cannot be run again, as a clause; "" where it can.
std::string why_not_again(const queries::RunRow& run);

/// Returns the text of the policy file that a run with this remedy needs: that of the run, and the remedy's line; ""
/// for none. Throws UsageError where the run's own file cannot be read.
std::string confirming_policy(const queries::RunRow& run, const analysis::Remedy& remedy);

/// Returns the line of a shell that runs the program again, in its folder, as the run was recorded and with the remedy.
/// `ampprof` is this program, `report` gets the recording, `policy` holds confirming_policy(), and is "" without.
std::string confirming_command(const queries::RunRow& run, const analysis::Remedy& remedy,
                               const std::filesystem::path& ampprof, const std::filesystem::path& report,
                               const std::filesystem::path& policy);

}  // namespace ampprof::cli
