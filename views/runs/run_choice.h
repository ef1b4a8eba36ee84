// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ampprof::analysis {
struct Pairing;
}

namespace ampprof::queries {
struct RunRow;
}

/// Finds the runs that a user names. Errors are sentences.
namespace ampprof::views {

/// Names repeats of one run: "O1"; without a level, "run 3" or "runs 3 to 5".
std::string name_of(const std::vector<queries::RunRow>& repeats);

/// Returns the label of a run among `runs`: "O1"; "O1 #2" for the second run at a level; "run 3" if the level is
/// unknown; "O1 rank 3" for a distributed program.
std::string label_of(const queries::RunRow& run, const std::vector<queries::RunRow>& runs);

/// Returns label_of() for the run with the id `run`; "run 3" if `runs` lack that run.
std::string label_of(std::int64_t run, const std::vector<queries::RunRow>& runs);

/// Returns label_of() for each run, faster than one call per run.
std::vector<std::string> labels_of(const std::vector<queries::RunRow>& runs);

/// Returns analysis::pair_runs(). Throws UsageError, with an example of valid flags, if runs cannot be paired.
std::vector<analysis::Pairing> pair_runs(const std::vector<queries::RunRow>& runs,
                                         const std::vector<std::string>& wanted);
std::vector<analysis::Pairing> pair_runs(const std::vector<queries::RunRow>& a, const std::vector<queries::RunRow>& b,
                                         const std::vector<std::string>& wanted);

/// Returns the runs with the id or level `wanted`. Throws UsageError, which lists `runs`, if there are none.
std::vector<queries::RunRow> runs_named(const std::vector<queries::RunRow>& runs, const std::string& wanted,
                                        const std::string& report);

/// Returns runs_named(), or all runs if `wanted` is empty.
std::vector<queries::RunRow> runs_wanted(const std::vector<queries::RunRow>& runs,
                                         const std::optional<std::string>& wanted, const std::string& report);

}  // namespace ampprof::views
