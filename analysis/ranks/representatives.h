// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"

/// Chooses the runs of a report with many ranks that are shown side by side.
namespace ampprof::analysis {

struct RankedLaunch;

/// Above this number of ranks, only the ranks that stand out are shown; the others are counted.
inline constexpr std::size_t kMostRanksListed = 40;

/// All ranks of a launch, and the ranks among them that stand out.
struct RepresentedLaunch {
  std::vector<queries::RunRow> ranks;      ///< all ranks in the report, ascending
  std::vector<std::int64_t> standing_out;  ///< all ranks that stand out, ascending
};

/// The representatives of a report with many ranks.
struct Representatives {
  /// Runs without a rank, and for each launch the lowest rank and the first few ranks that stand out, in the order of
  /// the report.
  std::vector<queries::RunRow> runs;
  std::vector<RepresentedLaunch> launches;
};

/// Tells whether these runs include more ranks than can be shown one by one.
bool holds_many_ranks(const std::vector<queries::RunRow>& runs);

/// Returns representatives of `runs`; empty if there are few enough ranks to show each.
std::optional<Representatives> representatives_of(const queries::Report& report,
                                                  const std::vector<queries::RunRow>& runs);

/// Returns representatives of `runs`, whose `launches` have been compared.
Representatives represent(const std::vector<queries::RunRow>& runs, const std::vector<RankedLaunch>& launches);

}  // namespace ampprof::analysis
