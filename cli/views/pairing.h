// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/queries/queries.h"

namespace ampprof::cli {

/// What is compared with what: the runs of a level (its repeats) on each side.
struct Pairing {
  std::vector<RunRow> a;
  std::vector<RunRow> b;
};

/// Runs of one level each, in the order of their first run.
std::vector<std::vector<RunRow>> by_level(const std::vector<RunRow>& runs);

/// "O1", or "run 3" where the program decided.
std::string name_of(const std::vector<RunRow>& repeats);

/// What `ampprof diff A` compares: the two runs or levels of `wanted`; with one, O0 against it; with none, the two
/// levels of the report, or O0 against each other one. Throws UsageError, with what to write.
std::vector<Pairing> pair_runs(const std::vector<RunRow>& runs, const std::vector<std::string>& wanted);

/// What `ampprof diff A B` compares: with two of `wanted` the first in A against the second in B; with one, that of
/// both; with none, every level that both have, or their only ones.
std::vector<Pairing> pair_runs(const std::vector<RunRow>& a, const std::vector<RunRow>& b,
                               const std::vector<std::string>& wanted);

/// Whether the program asked LibTorch for deterministic algorithms.
bool is_deterministic(const RunRow& run);

/// The runs that an id or a level names. Throws UsageError with those that `report` has, where there is none.
std::vector<RunRow> runs_named(const std::vector<RunRow>& runs, const std::string& wanted, const std::string& report);

/// Those that `wanted` names, or all.
std::vector<RunRow> runs_wanted(const std::vector<RunRow>& runs, const std::optional<std::string>& wanted,
                                const std::string& report);

}  // namespace ampprof::cli
