// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "analysis/search/search.h"
#include "reports/queries/report.h"

namespace ampprof::queries {
struct RunRow;
}

/// Reads the runs of a search from its report.
namespace ampprof::analysis {

inline constexpr std::int64_t kFirstSeed = 1;  ///< seed of repeat 0, unless the user chooses another

/// Selects the trials of one search in a report. Together with the metric, these fields identify a search.
struct TrialsOfSearch {
  std::string program;  ///< command line of the program
  std::string level;
  std::int64_t first_seed = kFirstSeed;
};

/// Returns the level at which a search runs the program to test functions of `run`; "" if the program casts with its
/// own autocast.
std::string level_of_search(const queries::RunRow& run);

/// Returns whether a run casts at function calls into the type of this name.
bool casts_into(const queries::RunRow& run, const std::string& type);

/// Returns the name of the run's reduced type in policies; "" if it does not cast at function calls.
std::string type_of_search(const queries::RunRow& run);

/// Returns the policy text common to all sets of a search: `policy`, plus the type and the recipe if they are not "".
std::string base_of_search(std::string policy, const std::string& type, const std::string& recipe = "");

/// Returns the losses of a run, one per step.
search::Losses losses_of(const queries::Report& report, std::int64_t run);

/// Returns the measurements of a run that ended well. Does not read numbers that the program prints.
search::Measured measured_run(const queries::Report& report, std::int64_t run, const search::Metric& metric);

/// Returns the finished runs of a search.
search::Journal journal_of(const queries::Report& report, const search::SearchProblem& question,
                           const TrialsOfSearch& search);

}  // namespace ampprof::analysis
