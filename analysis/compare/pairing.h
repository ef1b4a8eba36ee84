// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {

/// Two sides to compare. Each holds the runs of one level (its repeats), either all with torch.compile or all without.
struct Pairing {
  std::vector<queries::RunRow> a;
  std::vector<queries::RunRow> b;
};

/// Why runs cannot be paired.
struct Unpaired {
  enum class Why {
    TooManySides,     ///< more than two runs or levels were named
    NoSuchRun,        ///< `wanted` names none of the runs of `side`
    NothingNamed,     ///< one report, and `wanted` does not determine both sides
    SidesAreTheSame,  ///< the only side that was named is the baseline itself
    NoCommonLevel,    ///< two reports without a level in common
  };
  enum class Side { Report, A, B };  ///< Report: both sides come from one report

  Why why;
  std::string wanted = {};
  Side side = Side::Report;
};

using Pairings = std::variant<std::vector<Pairing>, Unpaired>;

/// Groups runs by level, and by whether they ran with torch.compile. Groups are in the order of their first runs.
std::vector<std::vector<queries::RunRow>> by_level(const std::vector<queries::RunRow>& runs);

/// Pairs runs of one report. Two names in `wanted` are the runs or levels to compare; one name is compared with O0.
/// Without names, compares the report's two levels, or O0 with every other level.
Pairings pair_runs(const std::vector<queries::RunRow>& runs, const std::vector<std::string>& wanted);

/// Pairs runs of two reports. With two names in `wanted`, the first is a run or level of `a` and the second is a run or
/// level of `b`. A single name applies to both reports. Without names, compares every level that both reports have;
/// without a common level, the only level of `a` with the only level of `b`.
Pairings pair_runs(const std::vector<queries::RunRow>& a, const std::vector<queries::RunRow>& b,
                   const std::vector<std::string>& wanted);

/// Returns the two sides that promise the largest difference: O0, or the first level without it, and the other level
/// with the least precision. Returns the first two runs if all have one level, and nothing for fewer than two runs.
std::optional<Pairing> farthest_pairing(const std::vector<queries::RunRow>& runs);

/// Tells whether the program asked LibTorch for deterministic algorithms.
bool is_deterministic(const queries::RunRow& run);

/// Tells whether the program ran without torch.compile.
bool is_eager(const queries::RunRow& run);

/// Returns the runs that an id or a level names; empty if there are none. A level means its eager runs if its first run
/// is eager, else its compiled runs.
std::vector<queries::RunRow> runs_named(const std::vector<queries::RunRow>& runs, const std::string& wanted);

}  // namespace ampprof::analysis
