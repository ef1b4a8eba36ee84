// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"

/// Chooses the runs that stand for a report of many ranks where runs stand side by side.
namespace ampprof::analysis {

struct RankedLaunch;

/// Where a report holds more ranks, those that stand out are shown, and the others are counted.
inline constexpr std::size_t kMostRanksListed = 40;

/// A launch that some of its ranks stand for.
struct RepresentedLaunch {
  std::vector<queries::RunRow> ranks;      ///< all that the report holds, ascending
  std::vector<std::int64_t> standing_out;  ///< ranks, ascending
};

/// Stands for a report of many ranks.
struct Representatives {
  /// Runs that are no ranks, and of each launch the lowest rank and the first few that stand out; in the order of the
  /// report.
  std::vector<queries::RunRow> runs;
  std::vector<RepresentedLaunch> launches;
};

/// Tells whether more of these are ranks than are shown one by one.
bool holds_many_ranks(const std::vector<queries::RunRow>& runs);

/// Returns what stands for `runs`; nothing where so few are ranks that each is shown.
std::optional<Representatives> representatives_of(const queries::Report& report,
                                                  const std::vector<queries::RunRow>& runs);

/// Returns what stands for `runs`, of which `launches` are compared.
Representatives represent(const std::vector<queries::RunRow>& runs, const std::vector<RankedLaunch>& launches);

}  // namespace ampprof::analysis
