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

/// Says what a report does not hold. Every verb that prints figures says it by note_of_missing().
namespace ampprof::views {

/// Returns what the recorder noted (`recorded`), behind what follows from `runs`: runs that did not end well, steps
/// that were not recorded.
std::vector<queries::MissingRow> missing_of(const std::vector<queries::RunRow>& runs,
                                            const std::vector<queries::MissingRow>& recorded);

/// Says why a run at O1 may be without a cast.
inline constexpr const char* kNoCasts =
    "The program switches autocast off around its ops, or calls none that O1 casts.";

/// Reads what some runs of a report recorded, and adds what follows from them.
std::vector<queries::MissingRow> missing_of(const queries::Report& report, const std::vector<queries::RunRow>& runs);

/// A thing that is missing, at all the levels where it is.
struct MissingThing {
  Missing missing;   ///< counts of all levels added up
  std::string runs;  ///< "O1, O2"
};

/// Things of the same name and cause as one.
std::vector<MissingThing> missing_things(const std::vector<queries::MissingRow>& rows);

/// "not in these figures: the rest of the run (O3), values of op calls (412x, O1) and 2 more kinds of data: ampprof
/// show digits.ampprof missing"; "" where nothing is missing.
std::string note_of_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// note_of_missing() on stderr, where it says anything.
void print_missing(const std::vector<queries::MissingRow>& rows, const std::string& report);

/// One thing of one run a record, what is missing most first; in tables one thing a row. Then, for each run, what of a
/// step's time is ampprof's own.
View missing_view(const std::vector<queries::MissingRow>& rows, const std::vector<queries::RunRow>& runs);

Json to_json(const queries::MissingRow& row);

}  // namespace ampprof::views
