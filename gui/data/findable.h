// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ampprof::gui {

class ReportFile;

/// Names of a report that the command palette finds.
struct Findable {
  std::vector<std::string> call_sites;  ///< each once, in the order of the runs
  std::vector<std::string> findings;    ///< one line each, in the order of ReportFile::diagnosis()
};

/// Reads the names. Takes as long as opening the pages Ops and Diagnosis.
Findable findableIn(const ReportFile& file);

}  // namespace ampprof::gui
