// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/run.h"
#include "views/table/view.h"

namespace ampprof::queries {
struct MissingRow;
struct RunRow;
}  // namespace ampprof::queries

/// Reports missing data. Each verb that prints figures calls note_of_missing().
namespace ampprof::views {

/// Returns the gaps that follow from `runs` (runs that did not end well, steps that were not recorded), then those that
/// the recorder noted (`recorded`).
std::vector<queries::MissingRow> missing_of(const std::vector<queries::RunRow>& runs,
                                            const std::vector<queries::MissingRow>& recorded);

/// Says why a run at O1 may be without a cast.
inline constexpr const char* kNoCasts = "The program disables autocast around its ops, or calls no op that O1 casts.";

/// Reads the gaps that some runs of a report recorded, and adds those that follow from the runs.
std::vector<queries::MissingRow> missing_of(const queries::Report& report, const std::vector<queries::RunRow>& runs);

/// A kind of missing data, over all levels that have it.
struct MissingThing {
  Missing missing;   ///< sum over all levels
  std::string runs;  ///< "O1, O2"
};

/// Merges items of the same name and cause.
std::vector<MissingThing> missing_things(const std::vector<queries::MissingRow>& rows);

/// Returns "not in these figures: the rest of the run (O3), values of op calls (412x, O1) and 2 more kinds of data:
/// ampprof show digits.ampprof missing"; "" if nothing is missing.
std::string note_of_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// Prints note_of_missing() on stderr, unless it is empty.
void print_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// Returns a record for each gap of a run, the largest first; tables have a row for each kind. Then, for each run,
/// ampprof's own share of a step's time.
View missing_view(const std::vector<queries::MissingRow>& rows, const std::vector<queries::RunRow>& runs);

Json to_json(const queries::MissingRow& row);

}  // namespace ampprof::views
