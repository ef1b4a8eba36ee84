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

/// Returns the name of repeats for people: "O1", or "run 3" for a run without a level.
std::string name_of(const std::vector<queries::RunRow>& repeats);

/// Returns "O1"; "O1 #2" for the second of several runs at one level; "run 3" if the level is unknown; "O1 rank 3" for
/// a distributed program.
std::string label_of(const queries::RunRow& run, const std::vector<queries::RunRow>& runs);

/// Returns label_of() of the run with an id; "run 3" if it is not in `runs`.
std::string label_of(std::int64_t run, const std::vector<queries::RunRow>& runs);

/// Returns label_of() of each run, faster than a call for each.
std::vector<std::string> labels_of(const std::vector<queries::RunRow>& runs);

/// Returns analysis::pair_runs(), or throws UsageError with the correct form.
std::vector<analysis::Pairing> pair_runs(const std::vector<queries::RunRow>& runs,
                                         const std::vector<std::string>& wanted);
std::vector<analysis::Pairing> pair_runs(const std::vector<queries::RunRow>& a, const std::vector<queries::RunRow>& b,
                                         const std::vector<std::string>& wanted);

/// Returns the runs that an id or a level names. Throws UsageError with the runs of `report` if there are none.
std::vector<queries::RunRow> runs_named(const std::vector<queries::RunRow>& runs, const std::string& wanted,
                                        const std::string& report);

/// Returns the runs that `wanted` names, or all if it is empty.
std::vector<queries::RunRow> runs_wanted(const std::vector<queries::RunRow>& runs,
                                         const std::optional<std::string>& wanted, const std::string& report);

}  // namespace ampprof::views
