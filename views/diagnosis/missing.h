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

/// Reports missing data. Each verb that prints results calls note_of_missing().
namespace ampprof::views {

/// Returns the missing data that follows from `runs` (runs that did not end well, steps that were not recorded), then
/// `recorded`, the missing data that recorders noted.
std::vector<queries::MissingRow> missing_of(const std::vector<queries::RunRow>& runs,
                                            const std::vector<queries::MissingRow>& recorded);

/// Explains why a run at O1 may have no cast.
inline constexpr const char* kNoCasts = "The program disables autocast around its ops, or calls no op that O1 casts.";

/// Returns the missing data of `runs`. Reads from the report what recorders noted.
std::vector<queries::MissingRow> missing_of(const queries::Report& report, const std::vector<queries::RunRow>& runs);

/// A kind of missing data, over all levels that lack the data.
struct MissingThing {
  Missing missing;   ///< the count is summed over all levels
  std::string runs;  ///< levels that lack the data: "O1, O2"
};

/// Merges missing data of the same name and cause.
std::vector<MissingThing> missing_things(const std::vector<queries::MissingRow>& rows);

/// Returns "not in these numbers: the rest of the run (O3), values of op calls (412x, O1) and 2 further kinds: ampprof
/// show digits.ampprof missing"; "" if nothing is missing.
std::string note_of_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// Prints note_of_missing() on stderr, unless it is empty.
void print_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// Returns one record for each run and kind of missing data, the largest count first, then one record for each run with
/// ampprof's share of the time of a step. Tables merge records of the same kind and cause.
View missing_view(const std::vector<queries::MissingRow>& rows, const std::vector<queries::RunRow>& runs);

Json to_json(const queries::MissingRow& row);

}  // namespace ampprof::views
