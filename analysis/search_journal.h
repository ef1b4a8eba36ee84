// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "analysis/search/search.h"
#include "reports/queries/queries.h"

/// The runs of a search as its report holds them.
namespace ampprof::analysis {

inline constexpr std::int64_t kFirstSeed = 1;  ///< of repeat 0, where nobody chose one

/// Tells the trials of one search from others in its report.
struct TrialsOfSearch {
  std::string program;
  std::string level;
  search::Metric metric = {};
  std::int64_t first_seed = kFirstSeed;
};

/// Returns the level that sets are run at, by the run whose functions are searched: "" for the program's own autocast.
std::string level_of_search(const queries::RunRow& run);

/// Returns the losses of a run; its metric and its time are unknown.
search::Measured losses_of(const queries::Report& report, std::int64_t run);

search::Journal journal_of(const queries::Report& report, const TrialsOfSearch& wanted);

}  // namespace ampprof::analysis
