// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {

/// Two sides to compare: the runs of one level (its repeats) on each, all of them with torch.compile or all without.
struct Pairing {
  std::vector<queries::RunRow> a;
  std::vector<queries::RunRow> b;
};

/// Why runs cannot be paired.
struct Unpaired {
  enum class Why {
    TooManySides,     ///< more than two runs or levels were named
    NoSuchRun,        ///< `wanted` names none of the runs of `side`
    NothingNamed,     ///< one report, and it does not say which of its runs are meant
    SidesAreTheSame,  ///< the only side that was named is the baseline itself
    NoCommonLevel,    ///< two reports without a level in common
  };
  enum class Side { Report, A, B };  ///< Report: there is one only

  Why why;
  std::string wanted = {};
  Side side = Side::Report;
};

using Pairings = std::variant<std::vector<Pairing>, Unpaired>;

/// Returns runs of one level each, those without torch.compile apart, in the order of their first run.
std::vector<std::vector<queries::RunRow>> by_level(const std::vector<queries::RunRow>& runs);

/// Pairs runs of one report: the two runs or levels of `wanted`; with one, O0 against it; with none, the two levels of
/// the report, or O0 against each other one.
Pairings pair_runs(const std::vector<queries::RunRow>& runs, const std::vector<std::string>& wanted);

/// Pairs runs of two reports: with two of `wanted` the first in `a` against the second in `b`; with one, that of both;
/// with none, every level that both have, or their only ones.
Pairings pair_runs(const std::vector<queries::RunRow>& a, const std::vector<queries::RunRow>& b,
                   const std::vector<std::string>& wanted);

/// Tells whether the program asked LibTorch for deterministic algorithms.
bool is_deterministic(const queries::RunRow& run);

/// Tells whether torch.compile left the program as it is.
bool is_eager(const queries::RunRow& run);

/// Returns the runs that an id or a level names, of a level those that are eager as its first run is; none where it
/// names none.
std::vector<queries::RunRow> runs_named(const std::vector<queries::RunRow>& runs, const std::string& wanted);

}  // namespace ampprof::analysis
