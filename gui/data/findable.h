// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ampprof::gui {

class ReportFile;

/// Holds what a user looks for by its name in a report.
struct Findable {
  std::vector<std::string> call_sites;  ///< each once, in the order of the runs
  std::vector<std::string> findings;    ///< a line each, in the order of ReportFile::diagnosis()
};

/// Reads them, which takes as long as the pages Ops and Diagnosis take.
Findable findableIn(const ReportFile& file);

}  // namespace ampprof::gui
