// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ampprof::gui {

class ReportFile;

/// Names in a report that the command palette can find.
struct Findable {
  std::vector<std::string> call_sites;  ///< without duplicates, in the order of the runs
  std::vector<std::string> findings;    ///< a line for each finding, in the order of ReportFile::diagnosis()
};

/// Reads the names of a report, which takes as long as reading the data of the pages Ops and Diagnosis.
Findable findableIn(const ReportFile& file);

}  // namespace ampprof::gui
