// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "views/diagnosis/run_metrics.h"
#include "views/table/sentence.h"

namespace ampprof::analysis {
struct Representatives;
}

namespace ampprof::gui {

/// Data of the page Overview.
struct Overview {
  std::vector<views::Sentence> answer;                               ///< most important first
  std::vector<analysis::Finding> findings;                           ///< the costliest first
  std::vector<queries::RunRow> shown;                                ///< runs that are shown side by side
  std::vector<std::string> runs;                                     ///< labels of `shown`
  std::shared_ptr<const analysis::Representatives> representatives;  ///< null unless the report has many ranks
  std::vector<views::RunFigure> figures;
  std::vector<queries::MissingRow> missing;
};

}  // namespace ampprof::gui
