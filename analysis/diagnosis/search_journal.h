// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "analysis/search/search.h"
#include "reports/queries/report.h"

namespace ampprof::queries {
struct RunRow;
}

/// Reads the runs of a search out of its report.
namespace ampprof::analysis {

inline constexpr std::int64_t kFirstSeed = 1;  ///< of repeat 0, where nobody chose one

/// Tells which trials of a report belong to a search, beside those of its metric.
struct TrialsOfSearch {
  std::string program;  ///< command line
  std::string level;
  std::int64_t first_seed = kFirstSeed;
};

/// Returns the level that sets are run at, by the run whose functions are searched: "" for the program's own autocast.
std::string level_of_search(const queries::RunRow& run);

/// Returns whether a run casts at functions into the type of this name.
bool casts_into(const queries::RunRow& run, const std::string& type);

/// Returns the type that sets are kept from, as policies name it, by that run: "" where it does not cast at functions.
std::string type_of_search(const queries::RunRow& run);

/// Returns the policy beneath every set: `policy`, and the type and the recipe where one is named.
std::string base_of_search(std::string policy, const std::string& type, const std::string& recipe = "");

/// Returns the losses of a run, step after step.
search::Losses losses_of(const queries::Report& report, std::int64_t run);

/// Returns what a run that ended well says of itself: everything but what it printed.
search::Measured measured_run(const queries::Report& report, std::int64_t run, const search::Metric& metric);

/// Returns the runs of a search that have ended.
search::Journal journal_of(const queries::Report& report, const search::Question& question,
                           const TrialsOfSearch& search);

}  // namespace ampprof::analysis
